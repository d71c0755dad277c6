package analyze

import (
	"context"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/rewards/rerandomize"
	"banditaudit/schemas"
)

// byAdaptive decides by a weighted estimate and its normal error ([ipw.Arms]), of the
// mean of an arm or of the difference of any two,
//
//	z = (estimate − value)/standard error, against the normal law
//
// by aipw-sqrt where that stands, else by aipw. It has an answer where that estimate has
// an interval, which [ipw.NormalityRule] decides; p and interval then are approximate, and
// missed up to .09 for a nominal .05 in simulation. It decides by name only, with
// analysis.approximate: accept. What may have been chosen by looking pays as by any-time,
// which keeps the nominal size where normality holds (formula sheet, second part, 24, 26).
func byAdaptive(_ context.Context, a *answers, t *answer) (methodAnswer, error) {
	name, why := a.weighed.Deciding()
	not := func(why string) (methodAnswer, error) {
		out := notBy(name, why)
		out.result.ValidFor, out.result.Approximate = rerandomize.FixedArmValid, true
		return out, nil
	}
	if why != "" {
		return not(why)
	}
	if a.protocol.Analysis.Approximate != schemas.ApproximateAccept {
		return not("its p holds for many rounds only; to decide by it all the same write analysis.approximate: accept")
	}
	pay, why := a.payAdaptive(t)
	if why != "" {
		return not(why)
	}
	r, why := a.weighed.Test(adaptiveQuestion(t, publiclog.LogAlpha(a.protocol)-pay.log), a.rejecting)
	if why != "" {
		return not(why)
	}
	out := methodAnswer{
		result: schemas.TestResult{Method: name, ValidFor: rerandomize.FixedArmValid, Applicable: true, Approximate: true, Statistic: schemas.Finite(r.Statistic), CI: t.clip(r.Lo, r.Hi)},
		logP:   r.LogP, given: true, validIf: publiclog.Joined(schemas.ValidIfGiven, a.weighed.Subject.WeighableIf()), over: r.Over, about: r.Estimate,
	}
	a.sample.enters(&out, r.Rounds, r.All)
	if r.NeedsConstantMean {
		out.validIf = publiclog.Joined(schemas.ValidIfDeclared, out.validIf)
	}
	out.result.Reason = r.Words + pay.words
	pay.charge(&out)
	out.logE = calibrated(out.logP)
	return out, nil
}

// payAdaptive is what a question pays.
func (a *answers) payAdaptive(t *answer) (toll, string) {
	if t.kind == schemas.TestMean {
		return a.payArm(t)
	}
	return a.payPair(t)
}

// adaptiveQuestion is what a test asks of the estimate.
func adaptiveQuestion(t *answer, logAlpha float64) *ope.Question {
	if t.kind == schemas.TestMean {
		return &ope.Question{Arms: []int{t.arm}, Value: *t.spec.Mean, Alt: t.alt, LogAlpha: logAlpha}
	}
	return &ope.Question{Arms: []int{t.arm, t.against}, Value: *t.spec.Value, Alt: t.alt, LogAlpha: logAlpha}
}
