package validity

import (
	"banditaudit/analyze/log/corrections"
	"banditaudit/schemas"
)

// sampled is why a replay of a log from which rows were dropped says nothing of the declared
// policy; "" where none was dropped, or the policy is known without what happened in them.
func (e *Evidence) sampled(r *schemas.Conformance) string {
	s := e.Facts.Sampled
	switch {
	case !s.Dropped():
		return ""
	case e.Facts.Mechanism == nil || e.Facts.Mechanism.ReadsRewards():
		return "the policy learned from rows that the log does not hold: " + s.Gone()
	case r.Mode == schemas.ModeSeed:
		return "a seed gives the actions of all rounds in their order, and " + s.Gone()
	case r.Mode != schemas.ModePropensity:
		return s.Open()
	}
	return ""
}

// Unaccounted stands where rows were dropped from the log, whose costs are in no sum.
func (e *Evidence) Unaccounted() corrections.NotApplicable {
	if !e.Facts.Sampled.Dropped() {
		return corrections.NotApplicable{}
	}
	return corrections.Against("A8", e.Facts.Sampled.Gone()+", and what those cost, and what a policy learned from them, is in no sum")
}
