package truth

import "banditaudit/schemas"

const unloggedHead = `version: 1
experiment: {id: context, stopping: fixed}
log: {order: [round], action: action, reward: won, context: [x0]}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
`

// followsUnlogged is follows-a-context where nothing but the policy says with which
// probabilities arms were played.
func followsUnlogged() World {
	return World{
		Name: "follows-a-context-unlogged", Item: 1, Logs: 300, Right: true,
		Text:     "The log of follows-a-context, and no propensity is logged: the policy is declared uniform, and pulls are even.",
		Said:     "policy.conformance is VIOLATED",
		Before:   "0 of 300: NOT ESTABLISHED",
		Unseen:   "a dependence on what is not declared, or on none of the splits that were looked at; and any, where the policy is not one that reads no rewards (uniform, fixed), or its arms are not declared",
		Protocol: unloggedHead,
		Deploy:   contextLog,
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated },
	}
}

// comparesUnlogged is the same with a test that compares the arms.
func comparesUnlogged() World {
	return World{
		Name: "follows-a-context-unlogged-and-compares", Item: 1, Logs: 300,
		Text:     "The log of follows-a-context-unlogged: in every round the two arms pay alike. That they do is tested.",
		Said:     "the corrected test rejects a true null",
		Before:   "300 of 300",
		Unseen:   "arms that follow what is not declared, or so little that no split shows it: the difference is then of the rounds that each arm met",
		Protocol: unloggedHead + "privacy: {definition: pure, epsilon: 0}\nanalysis: {chosen: before, tests: [{id: H, difference: [a0, a1], value: 0, test: exact}]}\n",
		Deploy:   contextLog,
		Count:    (*Found).rejected,
	}
}

// unlogged are honest deployments of policies that read no rewards, with contexts that
// rewards follow, and without propensities.
func unlogged() []Honest {
	const rounds = 600
	add := func(name, text, policy string, p []float64, eligible ...string) Honest {
		k := len(p)
		return Honest{
			Name: name, Item: 1, Before: "–", Text: text + "; two contexts, which rewards follow, and no propensity is logged",
			Protocol: head("unlogged", k, append(eligible, "context: [x0, x1]")...) + "policy: " + policy + "\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				var x1 []float64
				var may [][]bool
				for t := range rounds {
					open, now, total := make([]bool, k), make([]float64, k), 0.
					for i := range open {
						if open[i] = len(eligible) == 0 || (t/20+i)%k != 0; open[i] {
							now[i] = p[i]
							total += p[i]
						}
					}
					for i := range now {
						now[i] /= total
					}
					x := d.draw.NormFloat64()
					arm := d.pick(now)
					d.play(arm, now[arm], d.coin(.5+.3*min(1, max(-1, x))))
					d.x, x1, may = append(d.x, x), append(x1, d.draw.Float64()), append(may, open)
				}
				return d.log(labels(k)...).Put("x0", d.x).Put("x1", x1).Put("may", may)
			},
		}
	}
	return []Honest{
		add("uniform, no p", "each of three arms with probability 1/3", "{name: uniform}", []float64{1, 1, 1}),
		add("fixed, no p", "arms with probabilities .6, .3 and .1", "{name: fixed, probabilities: [0.6, 0.3, 0.1]}", []float64{.6, .3, .1}),
		add("uniform, eligible, no p", "each of three arms may be played in two rounds of three by a timetable, and has probability 1/2 there", "{name: uniform}", []float64{1, 1, 1}, "eligible: may", "eligible_by: schedule"),
	}
}
