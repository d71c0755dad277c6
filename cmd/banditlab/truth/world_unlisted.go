package truth

import (
	"math"

	"banditaudit/schemas"
)

// unlistedProtocol declares two contexts and a test that the arms pay alike.
const unlistedProtocol = `version: 1
experiment: {id: unlisted, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity: p, context: [x0, x1]}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, tests: [{id: H, difference: [a1, a0], value: 0, test: exact}]}
`

// saysDrawn reports whether the first test and the assumption A3 say that a rejection
// is valid only if arms were drawn as declared, whatever came before.
func (f *Found) saysDrawn() bool {
	c := f.First().Tests[0].Comparison
	return c != nil && c.ValidIf == schemas.ValidIfDrawn && f.assumption("A3").Status == schemas.MeansNotContradicted
}

// unlisted are item 1 with arms that follow what no check looks at: that is said.
func unlisted() []World {
	const rounds = 2_000
	return []World{{
		Name: "follows-the-tails-of-a-context-and-another", Item: 1, Logs: 300,
		Text:     "Over 2,000 rounds arm a1 is played exactly where either |x0| > .67 or x1 > 0, and not both, and rewards are frequent there, for either arm. The policy is declared uniform, p = .5 is logged. That the arms pay alike, as they do in every round, is tested.",
		Said:     "the corrected test rejects a true null, and does not say that it is valid only if every arm was drawn with its declared probability given everything before its round",
		Before:   "59 of 60, and none said so",
		Unseen:   "the allocation, as any that follows what data.splits does not list: a finite list of wagers does not see everything. The test rejects, and it and A3 say on what that rests",
		Protocol: unlistedProtocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var other []float64
			for range rounds {
				x, y := d.draw.NormFloat64(), d.draw.NormFloat64()
				arm := (one(math.Abs(x) > tails) + one(y > 0)) % 2
				d.play(arm, .5, d.coin(.3+.4*float64(arm)))
				d.x, other = append(d.x, x), append(other, y)
			}
			return d.log("a0", "a1").Put("x0", d.x).Put("x1", other).Put("won", d.won())
		},
		Count: func(f *Found) bool { return f.rejected() && !f.saysDrawn() },
		Also:  []Also{{Said: "the test rejects and says so", Count: func(f *Found) bool { return f.rejected() && f.saysDrawn() }}},
	}}
}
