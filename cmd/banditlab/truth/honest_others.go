package truth

// others are delayed rewards and arms that may not always be played.
func others() []Honest { return []Honest{delayed(), scheduled()} }

func delayed() Honest {
	const k, rounds = 3, 500
	return Honest{
		Name: "delays", Item: 1, Before: "–",
		Text:     "rewards become known up to 40 rounds later, and the policy learns them then",
		Protocol: "version: 1\nexperiment: {id: delays, stopping: fixed}\nlog: {order: [at], action: action, reward: reward, propensity: p, propensity_by_arm: all, reward_order: known}\narms: [arm0, arm1, arm2]\nreward: {range: [0, 1]}\npolicy: {name: softmax, eta: 0.01}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			sums, means := make([]float64, k), spread(k)
			var at, known []int64
			for t := range int64(rounds) {
				for s := range d.action {
					if known[s] > 10*(t-1) && known[s] <= 10*t {
						sums[d.action[s]] += d.rewards[s]
					}
				}
				p := softmax(.01, sums, nil)
				arm := d.pick(p)
				d.chosen(arm, p, d.coin(means[arm]))
				at, known = append(at, 10*t), append(known, 10*(t+d.draw.Int64N(40))+5)
			}
			return d.log(labels(k)...).Put("at", at).Put("known", known)
		},
	}
}

func scheduled() Honest {
	const k, rounds = 4, 500
	return Honest{
		Name: "eligible by schedule", Item: 2, Before: "–",
		Text:     "every arm is out of stock in hours of its own, by a timetable",
		Protocol: head("eligible", k, "propensity: p, propensity_by_arm: all, eligible: may, eligible_by: schedule") + "policy: {name: softmax, eta: 0.01}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			sums, means := make([]float64, k), spread(k)
			var may [][]bool
			for t := range rounds {
				open := make([]bool, k)
				for i := range open {
					open[i] = (t/20+i)%k != 0
				}
				p := softmax(.01, sums, open)
				arm := d.pick(p)
				y := d.coin(means[arm])
				sums[arm] += y
				d.chosen(arm, p, y)
				may = append(may, open)
			}
			return d.log(labels(k)...).Put("may", may)
		},
	}
}
