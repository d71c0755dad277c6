package analyze

import (
	"context"
	"math"
	"strings"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/runs"
	"banditaudit/schemas"
)

// byAdaptive decides by a weighted estimate and its normal error ([estimate.Arms]), of the
// mean of an arm or of the difference of any two,
//
//	z = (estimate − value)/standard error, against the normal law
//
// by aipw-sqrt where that stands, else by aipw. It has an answer where that estimate has
// an interval, which [estimate.Rule] decides; p and interval then are approximate, and
// missed up to .09 for a nominal .05 in simulation. It decides by name only, with
// analysis.approximate: accept. What may have been chosen by looking pays as by any-time,
// which keeps the nominal size where normality holds (formula sheet, second part, 24, 26).
func byAdaptive(_ context.Context, a *answers, t *answer) (methodAnswer, error) {
	e, why := a.adaptiveEstimator()
	not := func(why string) (methodAnswer, error) {
		out := notBy(e.name, why)
		out.result.ValidFor, out.result.Approximate = runs.FixedArmValid, true
		return out, nil
	}
	if why != "" {
		return not(why)
	}
	if a.Protocol.Analysis.Approximate != schemas.ApproximateAccept {
		return not("its p holds for many rounds only; to decide by it all the same write analysis.approximate: accept")
	}
	pay, why := a.payAdaptive(t)
	if why != "" {
		return not(why)
	}
	w := a.adaptiveWeighing(e, t)
	if never := neverPlayed(a.Log, &w); never != "" {
		return not("never played in these rounds: " + never)
	}
	_, _, against, steady := a.interval(&w)
	if against = append(against, a.alwaysAgainst(a.rejecting)...); len(against) > 0 {
		return not(strings.Join(against, "; "))
	}
	r := a.adaptiveTest(&w, t, logAlpha(a.Protocol)-pay.log)
	out := methodAnswer{
		result: schemas.TestResult{Method: e.name, ValidFor: runs.FixedArmValid, Applicable: true, Approximate: true, Statistic: schemas.Finite(r.Statistic), CI: t.clip(r.Lo, r.Hi)},
		logP:   r.LogP, validIf: weighableIf(a.Evidence),
	}
	if steady {
		out.validIf = facts.Joined(schemas.ValidIfDeclared, out.validIf)
	}
	out.result.Reason = a.adaptiveWords(&w, steady) + pay.words
	pay.charge(&out)
	out.logE = calibrated(out.logP)
	return out, nil
}

// adaptiveEstimator is the estimator that decides, and why none does.
func (a *answers) adaptiveEstimator() (*estimator, string) {
	var out *estimator
	for _, e := range estimators() {
		if e.name != schemas.EstimatorAIPW && e.name != schemas.EstimatorSqrt {
			continue
		}
		if out == nil || a.weighted != nil && e.against(a.weighted) == "" {
			out = &e
		}
	}
	if a.weighted == nil {
		return out, "no propensity is logged (log.propensity, log.propensity_by_arm), and no policy is declared that gives them without rewards"
	}
	why := out.against(a.weighted)
	return out, why
}

// payAdaptive is what a question pays.
func (a *answers) payAdaptive(t *answer) (toll, string) {
	if t.kind == schemas.TestMean {
		return a.payArm(t)
	}
	return a.payPair(t)
}

// adaptiveWeighing is the estimate that a test is about. The contrast of two arms stands
// in one order, and is turned for the other.
func (a *answers) adaptiveWeighing(e *estimator, t *answer) weighing {
	if t.kind == schemas.TestMean {
		return a.weighted.armWeighing(e, t.arm)
	}
	at, turned := a.weighted.pairOf(t.arm, t.against)
	w := a.weighted.pairWeighing(at)
	if turned {
		w = w.turned()
	}
	return w
}

// adaptiveTest holds an estimate against the value of a test: the one of all propensities
// with the decimals of the logged ones that is nearest to it. The interval holds that of
// each.
func (a *answers) adaptiveTest(w *weighing, t *answer, logAlpha float64) hypothesis.Result {
	value, moved := adaptiveValue(t), float64(facts.RangeWidth(a.Protocol)*w.moved.Value)
	law := hypothesis.Location{Estimate: inRewards(a.Protocol, w, w.value), StdErr: float64(facts.RangeWidth(a.Protocol) * (w.stdErr + w.moved.StdErr)), DF: math.Inf(1)}
	lo, hi := law.Interval(t.alt, logAlpha)
	gap := law.Estimate - value
	switch t.alt {
	case hypothesis.Greater:
		law.Estimate -= moved
	case hypothesis.Less:
		law.Estimate += moved
	default:
		law.Estimate = value + math.Copysign(max(0, math.Abs(gap)-moved), gap)
	}
	r := law.Test(value, t.alt, logAlpha)
	r.Lo, r.Hi = lo-moved, hi+moved
	return r
}

// adaptiveValue is the value of a test.
func adaptiveValue(t *answer) float64 {
	if t.kind == schemas.TestMean {
		return *t.spec.Mean
	}
	return *t.spec.Value
}

// adaptiveWords say what is estimated, and on what it rests; steady says that means have to
// stand still, which [sample.unsteady] lets pass only where it is declared.
func (a *answers) adaptiveWords(w *weighing, steady bool) string {
	out := "of the " + a.targetOf(w) + "; approximately (up to .09 for a nominal .05), where " + a.weightedValid(w, "", false, false)
	if steady {
		out += ", and each arm's mean, which is declared to be constant (analysis.means), is so"
	}
	return out + rareWords(a.Log)
}
