package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/rerandomize"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// byRerun decides by running the declared policy again on records that change places
// (see [randomization.Subject.Rerun]). It is carried out where it may decide alone: it takes as long as
// all its runs of the policy.
func byRerun(ctx context.Context, a *answers, t *answer) (methodAnswer, error) {
	if t.settled {
		return notBy(schemas.MethodRerun, "it was not carried out, for it would not decide; decide: rerun asks for it"), nil
	}
	q := rerandomize.Question{ID: t.id, Difference: t.kind == schemas.TestDifference, Alt: t.alt, Tests: len(a.sample.questions.declared), Missing: a.missingByArm()}
	pay := toll{}
	if t.arm >= 0 {
		q.Arms = []int{t.arm, t.against}
		if pay, _ = a.payPair(t); pay.sides > 1 { // of two arms in all there is one pair
			q.Sides = pay.sides
		}
	}
	if q.Difference {
		q.Value = *t.spec.Value
	} else {
		q.Alt = hypothesis.TwoSided
	}
	r, err := a.sample.subject().Rerun(ctx, q)
	if err != nil {
		return methodAnswer{}, err
	}
	a.sample.earlier.join(&r.Before)
	out := methodAnswer{result: r.Result, logP: r.LogP, logE: math.NaN()}
	if out.result.Vacuous = false; out.applies() {
		out.logE, out.validIf = calibrated(out.logP), publiclog.Joined(r.ValidIf, a.sample.rewards.IfMissing(schemas.ValidIfMissing))
		out.result.Reason += pay.words
		out.floored = r.Floored
	}
	if r.Final {
		out.cannot = r.Result.Reason
	}
	return out, nil
}

// subject is the log whose policy is run again.
func (s *sample) subject() *rerandomize.Subject {
	return &rerandomize.Subject{Facts: s.facts, Protocol: s.protocol, Validity: s.validity, Book: s.rewards.Book, Verdict: s.evidence.Conformance.Verdict, Why: s.evidence.Conformance.Why, Replay: s.evidence.Replayed}
}
