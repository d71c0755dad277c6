package truth

import "math"

// incremental are means that are moved by each reward instead of divided anew.
func incremental() []Honest {
	const k, rounds = 10, 2_000
	return []Honest{{
		Name: "incremental means", Item: 11, Before: "60 of 60 VIOLATED",
		Text:     "UCB1 over ten arms whose means are kept as Q += (y − Q)/n: ties break in the last bit",
		Protocol: head("incremental", k) + "policy: {name: ucb, width: {c: 2}}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			means, q, n := spread(k), make([]float64, k), make([]float64, k)
			for t := 1; t <= rounds; t++ {
				arm, best := 0, math.Inf(-1)
				for i := range q {
					index := math.Inf(1)
					if n[i] > 0 {
						index = q[i] + math.Sqrt(2*math.Log(float64(t))/n[i])
					}
					if index > best {
						arm, best = i, index
					}
				}
				y := d.coin(means[arm])
				n[arm]++
				q[arm] += (y - q[arm]) / n[arm]
				d.play(arm, 1, y)
			}
			return d.log(labels(k)...)
		},
	}, {
		Name: "incremental means, with propensities", Item: 11,
		Text:     "epsilon-greedy over ten arms whose means are kept as Q += (y − Q)/n; the propensities of all arms are logged",
		Protocol: head("incremental", k, "propensity: p, propensity_by_arm: all") + "policy: {name: epsilon-greedy, explore: 0.1}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			means, q, n := spread(k), make([]float64, k), make([]float64, k)
			for range rounds {
				greedy, best, p := 0, math.Inf(-1), make([]float64, k)
				for i := range q {
					p[i] = .1 / k
					if n[i] == 0 && best < math.Inf(1) {
						greedy, best = i, math.Inf(1)
					} else if n[i] > 0 && q[i] > best {
						greedy, best = i, q[i]
					}
				}
				p[greedy] += .9
				arm := d.pick(p)
				y := d.coin(means[arm])
				n[arm]++
				q[arm] += (y - q[arm]) / n[arm]
				d.chosen(arm, p, y)
			}
			return d.log(labels(k)...)
		},
	}}
}
