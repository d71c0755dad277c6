package validity

import (
	"fmt"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// lawVerdict is that on a log whose actions the law does not contradict.
func (e *Evidence) lawVerdict(r *schemas.Conformance) (schemas.Verdict, string) {
	if open := e.Facts.Drawn.Open(); open != "" {
		return schemas.NotEstablished, open
	}
	return schemas.Consistent, lawConforms(r)
}

// lawConforms is the reason of a verdict on a log whose actions the declared policy's law
// does not contradict: its propensities are recomputed from the logged rewards, or scores.
func lawConforms(r *schemas.Conformance) string {
	t := &r.Law.Allocation
	out := fmt.Sprintf("no wager against the propensities recomputed from %s, of any arm%s, reaches level %.3g (%s)", r.Law.By(), allocation.BeforeWords(t), t.Level, schemas.PIs(t.P))
	if d := r.Law.Detectable; d != nil {
		out += fmt.Sprintf("; an arm whose probability is off by about %.2g on average is found in four of five logs, and what is smaller may pass", *d)
	} else {
		out += "; the draws are too few to say which deviation would be found"
	}
	if r.Rests() {
		out = choiceWords(r) + "; " + out
	}
	return out
}

// lawDisagrees says how the actions contradict the law of the declared policy; "" where
// they do not.
func lawDisagrees(in *publiclog.Log, r *schemas.Conformance) string {
	if r.Law == nil || !r.Law.Allocation.Rejected || r.Law.Impossible > 0 && r.FirstMismatch != nil {
		return "" // an action that cannot be drawn is named by its round
	}
	if r.Mode == schemas.ModePropensity && in.Slice.Schema().Batch {
		return "" // rows of a batch often stand in no order of play, and what was logged of it is tested batch by batch (allocation.matches_propensity)
	}
	return playedOtherwise(in, &r.Law.Allocation, "", "that the declared policy has by "+r.Law.By())
}
