package truth

import (
	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
)

// sharedDrift is a private ε-greedy policy over two arms that pay alike in every
// round, while both means move from one end to the other on a straight line.
func sharedDrift(w World, rounds int, from, to float64) World {
	const every, explore, epsilon = 1_000, .1, .01
	w.Item = 3
	w.Protocol = "version: 1\nexperiment: {id: drift, stopping: fixed}\nlog: {order: [round], action: action, reward: won}\narms: [a0, a1]\nreward: {range: [0, 1]}\n" +
		"policy: {name: epsilon-greedy, explore: 0.1, update: {every: 1000}}\ncounter: {name: laplace, epsilon: 0.01}\n" +
		"analysis: {chosen: before, tests: [{id: H, difference: [a0, a1], value: 0, test: exact}]}\n"
	w.Deploy = func(run int64) *Log {
		d := newDeployment(run)
		sum, n, mean := [2]float64{}, [2]float64{}, [2]float64{}
		for t := range rounds {
			if t%every == 0 {
				for i := range mean {
					if n[i] > 0 {
						mean[i] = sum[i] / n[i]
					}
				}
			}
			arm := 0
			switch {
			case d.draw.Float64() < explore:
				arm = d.draw.IntN(2)
			case t < every: // nothing was learned: by turns, as an arm without rows comes first
				arm = t % 2
			case mean[1] > mean[0]:
				arm = 1
			}
			y := d.coin(from + (to-from)*float64(t)/float64(rounds-1))
			n[arm]++
			sum[arm] += y + (d.draw.ExpFloat64()-d.draw.ExpFloat64())/epsilon
			d.play(arm, .5, y)
		}
		return d.log("a0", "a1").Put("won", d.won())
	}
	return w
}

// won are the rewards as booleans: a number that is 0 or 1 has no exact test.
func (d *deployment) won() []bool {
	out := make([]bool, len(d.rewards))
	for t, y := range d.rewards {
		out[t] = y == 1
	}
	return out
}

// driftsTogether is item 3 where the drift is large.
func driftsTogether() World {
	return sharedDrift(World{
		Name: "drifts-together", Logs: 1_000,
		Text:   "Two arms pay alike in every round, and both means move from .1 to .7 over 10,000 rounds. A private ε-greedy policy learns after every 1,000. The test asks whether the arms differ.",
		Said:   "the corrected test rejects a true null",
		Before: "193 of 200; 54 % under the policy of whoever found it",
		Unseen: "a drift below what H13 finds: the next row",
		Count:  (*Found).rejected,
		Also:   []Also{{Said: "H13 finds no mean that moves", Count: (*Found).still}},
	}, 10_000, .1, .7)
}

// driftsALittle is item 3 where H13 finds nothing in most logs.
func driftsALittle() World {
	return sharedDrift(World{
		Name: "drifts-together-a-little", Logs: 1_000,
		Text:   "The same, and both means move from .2 to .3.",
		Said:   "the corrected test rejects a true null, and does not say that it is valid only if each arm's mean is constant",
		Before: "61 of 200, and none said so",
		Unseen: "the drift, where H13 finds none: the test may then reject, and says those words. H13 looks for any movement of a mean, and the test for one difference, so that it sees less than the test does. Who knows that means are constant declares it (analysis.means)",
		Count:  func(f *Found) bool { return f.rejected() && !f.saysMeans() },
		Also: []Also{
			{Said: "H13 finds no mean that moves", Count: (*Found).still},
			{Said: "the test rejects and says so", Count: func(f *Found) bool { return f.rejected() && f.saysMeans() }},
		},
	}, 10_000, .2, .3)
}

// saysMeans reports whether the first test and the assumption A3 say that a rejection
// is valid only if means are constant.
func (f *Found) saysMeans() bool {
	c := f.First().Tests[0].Comparison
	return c != nil && c.Means == schemas.MeansNotContradicted && f.assumption("A3").Status == schemas.MeansNotContradicted
}

// slowSuccesses is item 3 from the other side: the means are constant.
func slowSuccesses() World {
	return World{
		Name: "slow-successes", Item: 3, Logs: 1_000,
		Text:   "Constant means of .3, uniform allocation, and successes that become known 200 rounds later than failures.",
		Said:   "H13 finds a mean that moves",
		Before: "not looked at; in the order of arrival .73 to .997 would be",
		Unseen: "–",
		Protocol: "version: 1\nexperiment: {id: slow, stopping: fixed}\nlog: {order: [round], action: action, reward: won, reward_order: known}\narms: [a0, a1]\nreward: {range: [0, 1]}\n" +
			"policy: {name: uniform}\n",
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var known []int64
			for t := range int64(4_000) {
				y := d.coin(.3)
				d.play(d.draw.IntN(2), .5, y)
				known = append(known, t+1+200*int64(y))
			}
			return d.log("a0", "a1").Put("won", d.won()).Put("known", known)
		},
		Count: (*Found).moves,
	}
}

// moves reports whether H13 finds a mean of the first experiment that moves.
func (f *Found) moves() bool {
	return check.Find(f.First().Data.Checks, "H13").Status == schemas.CheckNote
}

// still reports whether it finds none.
func (f *Found) still() bool { return !f.moves() }

// assumption is the assumption with an id.
func (f *Found) assumption(id string) schemas.Assumption {
	for _, a := range f.Head.Assumptions {
		if a.ID == id {
			return a
		}
	}
	return schemas.Assumption{}
}
