package truth

import (
	"strings"

	"banditaudit/schemas"
)

// footings are what contradictions of the allocation leave to stand on, and what they
// look like.
func footings() []World {
	return []World{staysWhenPaid(), dealt("dealt-in-turn", "in turn", false), dealt("dealt-in-blocks", "in shuffled blocks of three", true)}
}

// staysWhenPaid compares arms that users keep by what they were paid.
func staysWhenPaid() World {
	return World{
		Name: "stays-when-paid-and-compares", Item: 15, Logs: 200,
		Text:   "200 users of some 20 rounds each are paid with probability .2 or .8, whichever of the two arms they meet. Behind a success on a0, or a failure on a1, a user keeps the arm, and is drawn anew otherwise. Propensities of .5 are logged, and every round is declared to be drawn anew. That the arms pay alike, which is so in every round, is tested.",
		Said:   "the corrected test rejects a true null",
		Before: "196 of 200",
		Unseen: unseenStay,
		Protocol: `version: 1
experiment: {id: stays, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity: p, unit: user}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform, draw: {by: round}}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, approximate: accept, tests: [{id: H, difference: [a0, a1], value: 0, test: welch}]}
`,
		Deploy: func(run int64) *Log {
			const users = 200
			d := newDeployment(run)
			var unit []int64
			kept := map[int64]int{}
			for range 20 * users {
				u := d.draw.Int64N(users)
				arm, ok := kept[u]
				if !ok {
					arm = d.draw.IntN(2)
				}
				y := d.coin(.2 + .6*float64(u%2))
				if delete(kept, u); y == float64(1-arm) {
					kept[u] = arm
				}
				d.play(arm, .5, y)
				unit = append(unit, u)
			}
			return d.log("a0", "a1").Put("user", unit).Put("won", d.won())
		},
		Count: (*Found).rejected,
	}
}

// dealt declares a uniform policy of three arms that are dealt.
func dealt(name, how string, shuffled bool) World {
	return World{
		Name: name, Item: 1, Logs: 200, Right: true,
		Text:     "Three arms are dealt " + how + ". The policy is declared uniform, and no propensity is logged.",
		Said:     "policy.conformance is VIOLATED, and its reason names fixed counts",
		Before:   "0 of 200: the reason named one arm and its rounds",
		Unseen:   "fixed counts of longer runs, the less the longer they are; and the words are not said of runs that do not begin with the first round of the log, or change their length",
		Protocol: "version: 1\nexperiment: {id: dealt, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a0, a1, a2]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\n",
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			for range 400 {
				hand := []int{0, 1, 2}
				if shuffled {
					d.draw.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
				}
				for _, arm := range hand {
					d.play(arm, 1./3, d.coin(.5))
				}
			}
			return d.log("a0", "a1", "a2")
		},
		Count: func(f *Found) bool {
			for _, c := range f.Head.Claims {
				if c.Kind == schemas.KindConformance {
					return c.Verdict == schemas.Violated && strings.Contains(c.Reason, "Counts are fixed: every run of ")
				}
			}
			return false
		},
	}
}
