package truth

import (
	"strings"

	"banditaudit/schemas"
)

// fewChanges is item 14 where a log has three changes: too few to tell a period from
// chance, and all are of one.
func fewChanges() World {
	const every, rounds = 57, 200
	return World{
		Name: "three-changes", Item: 14, Logs: 200, Right: true,
		Text:     "A softmax of 3 arms learns after every 57 of 200 rounds, and an update after every 10 is declared; the propensities of all arms are logged.",
		Said:     "policy.conformance is VIOLATED, and what fits is an update after every 57 rounds, with the key that would settle it",
		Before:   "0 of 200: an update whenever the logged propensities change, \"at no whole period\"",
		Unseen:   "another schedule with the same changes; and the period, where the propensity of the logged action alone is logged, or a change is missing",
		Protocol: head("few", periodArms, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.01, update: {every: 10}}\n" + exact,
		Deploy:   func(run int64) *Log { return newDeployment(run).everySo(rounds, every) },
		Count: func(f *Found) bool {
			c := f.First().Replay.Propensities
			if c == nil || f.Verdict(schemas.KindConformance) != schemas.Violated {
				return false
			}
			h := schemas.Fitting(c.Hypotheses)
			return h != nil && strings.Contains(h.Words, "after every 57 rounds") && h.Settles != nil
		},
	}
}
