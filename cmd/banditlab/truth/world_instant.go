package truth

import "banditaudit/schemas"

// Worlds of rewards that became known at the very time of a choice, and of units whose
// log holds the propensities of the draw that assigned them, written by another policy.
func instants() []World { return []World{sameInstant(), keptOfAnother()} }

// sameInstant is a program that compares times in another way than the tool does.
func sameInstant() World {
	const k, rounds, eta = 3, 500, .05
	return World{
		Name: "learned-at-the-same-instant", Item: 12, Logs: 200, Right: true,
		Text: "A softmax policy runs as declared, on times in whole seconds, one to four between choices; it learns a reward before the choice of the second in which the reward became known, and the declaration is that it does after it.",
		Said: "policy.conformance is VIOLATED, and what is named as fitting is that these rewards were learned before the choice", Before: "0 of 17: no explanation fitted, or that of the next update did",
		Unseen:   "another cause that differs in those rounds alone",
		Protocol: "version: 1\nexperiment: {id: ticks, stopping: fixed}\nlog: {order: [at], action: action, reward: reward, propensity: p, propensity_by_arm: all, reward_order: known}\narms: [arm0, arm1, arm2]\nreward: {range: [0, 1]}\npolicy: {name: softmax, eta: 0.05}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var at, known []int64
			now := int64(0)
			for range rounds {
				now += 1 + d.draw.Int64N(4)
				sums := make([]float64, k)
				for s := range d.action {
					if known[s] <= now {
						sums[d.action[s]] += d.rewards[s]
					}
				}
				p := softmax(eta, sums, nil)
				arm := d.pick(p)
				d.chosen(arm, p, d.coin(spread(k)[arm]))
				at, known = append(at, now), append(known, now+1+d.draw.Int64N(60))
			}
			return d.log(labels(k)...).Put("at", at).Put("known", known)
		},
		Count: func(f *Found) bool {
			p := f.First().Replay.Propensities
			h := schemas.Fitting(p.Hypotheses)
			return f.Verdict(schemas.KindConformance) == schemas.Violated && h != nil && h.Name == "same-instant"
		},
	}
}

// keptOfAnother are units of a policy that learns twice as fast as is declared.
func keptOfAnother() World {
	return World{
		Name: "kept-draws-of-another-policy", Item: 15, Logs: 200, Right: true,
		Text: "400 users of some 10 rounds each are drawn once and keep their arm, by a softmax that learns after every 200 rounds with η = 0.01, and all rounds of a user hold the propensities of that draw; declared are η = 0.005 and policy.draw: {by: unit}.",
		Said: "policy.conformance is VIOLATED", Before: "by construction all",
		Unseen:   "what a unit's later rounds hold beside its first: that is one draw",
		Protocol: head("units", 3, "propensity: p, propensity_by_arm: all, unit: user, batch: version") + "policy: {name: softmax, eta: 0.005, update: batch, draw: {by: unit}}\n" + exact,
		Deploy:   func(run int64) *Log { return learning(run, 10, 400, .01, true).ofDraws() },
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated },
	}
}
