package truth

import "banditaudit/schemas"

// oddRound is item 12: where the best arm seldom changes, few rounds tell one
// schedule from another, and one odd round fits many of them.
func oddRound() World {
	const rounds, k, explore = 1_000, 3, .1
	return World{
		Name: "one-odd-round", Item: 12, Logs: 500,
		Text:     "An epsilon-greedy policy learns after every one of 1,000 rounds, as declared. In the first even round after round 50 in which the best arm is another than before, it still plays by the arm that was best, and logs that.",
		Said:     "what is named as fitting explains no more rounds than the declared policy",
		Before:   "57 of 100",
		Unseen:   "an explanation that explains more rounds than the declared policy, by chance: how many each explains is said",
		Protocol: head("odd", k, "propensity: p, propensity_by_arm: all") + "policy: {name: epsilon-greedy, explore: 0.1}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			sums, n, before, odd := make([]float64, k), make([]float64, k), 0, false
			for t := 1; t <= rounds; t++ {
				best := leader(sums, n)
				plays := best
				if t > 50 && t%2 == 0 && !odd && best != before {
					plays, odd = before, true
				}
				before = best
				p := make([]float64, k)
				for i := range p {
					p[i] = explore / k
				}
				p[plays] += 1 - explore
				arm := d.pick(p)
				y := d.coin(spread(k)[arm])
				sums[arm] += y
				n[arm]++
				d.chosen(arm, p, y)
			}
			return d.log(labels(k)...)
		},
		Count: func(f *Found) bool {
			c := f.First().Replay.Propensities
			if c == nil {
				return false
			}
			h := schemas.Fitting(c.Hypotheses)
			return h != nil && h.Explained <= c.Matched // every round is looked at
		},
	}
}

// leader is the arm with the largest mean, and before all the first without rows.
func leader(sums, n []float64) int {
	best := 0
	for i := range sums {
		switch {
		case n[i] == 0:
			return i
		case sums[i]/n[i] > sums[best]/n[best]:
			best = i
		}
	}
	return best
}
