package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// byRerun decides by running the declared policy again on records that change places
// (see [subject.rerun]). It is carried out where it may decide alone: it takes as long as
// all its runs of the policy.
func byRerun(ctx context.Context, a *answers, t *answer) (methodAnswer, error) {
	if t.settled {
		return notBy(schemas.MethodRerun, "it was not carried out, for it would not decide; decide: rerun asks for it"), nil
	}
	q := rerunQuestion{id: t.id, difference: t.kind == schemas.TestDifference, alt: t.alt, tests: len(a.declared)}
	if t.arm >= 0 {
		q.arms = []int{t.arm, t.against}
	}
	if q.difference {
		q.value = *t.spec.Value
	} else {
		q.alt = hypothesis.TwoSided
	}
	r, err := a.subject().rerun(ctx, q)
	if err != nil {
		return methodAnswer{}, err
	}
	out := methodAnswer{result: r.result, logP: r.logP, logE: math.NaN()}
	if out.result.Vacuous = false; out.applies() {
		out.logE, out.validIf = calibrated(out.logP), r.validIf
	}
	if r.final {
		out.cannot = r.result.Reason
	}
	return out, nil
}

// subject is the log whose policy is run again.
func (s *sample) subject() *subject {
	return &subject{facts: s.facts, book: s.book, verdict: s.conformance.Verdict, why: s.conformance.why, replay: s.replay}
}
