package facts

import (
	"banditaudit/analyze/check"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Record is what is said of the later rounds of units; nil where there are none, or
// they are not at hand.
func (k *keeping) Record() *schemas.Repeats {
	if k == nil {
		return nil
	}
	out := &schemas.Repeats{Later: k.Later, Same: k.same, Expected: schemas.Finite(k.expected), Anew: anewRecord(k.again)}
	if k.draws == conformance.DrawsByUnit {
		s := &k.logged
		out.Kept = &schemas.Kept{Rounds: s.Rounds, Moved: s.moved}
		if s.moved > 0 {
			out.Kept.First = new(s.first)
		}
	}
	return out
}

// anewRecord is that of the wager on the arm of the unit's round before.
func anewRecord(a *check.Again) *schemas.Anew {
	if a == nil {
		return nil
	}
	r := &a.Result
	return &schemas.Anew{
		Rounds: r.Rounds, Repeated: r.Repeated, Deficits: a.Deficits, Level: r.Level, LogE: r.LogE, Rejected: r.Rejected,
		Deficit: r.Deficit, Deviation: schemas.Finite(r.Deviation), Least: schemas.Finite(r.Least),
	}
}
