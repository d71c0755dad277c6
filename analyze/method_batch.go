package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/rerandomize"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/stratified"
	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// batchExact decides by what each batch of the log shows of two arms given its margins:
// for rewards of 0 and 1 by wagers on the tables of batches ([eprocess.Batches]), else by
// Fisher's combination of exact p-values ([stratified.Combination]). What it tests is that
// the arms pay alike in every round. The estimate that standardises each batch by itself
// ([stratified.Standardised]) stands beside it and decides nothing (formula sheet 24.6).
func batchExact(ctx context.Context, a *answers, t *answer) (methodAnswer, error) {
	against := a.againstBatches(t)
	pay, why := a.payPair(t)
	against.both = cmp.Or(against.both, why)
	if against.both == "" {
		var err error
		if against.both, err = a.facts.UnlikeWithinBatches(ctx, !a.facts.Binary() && against.exact == ""); err != nil {
			return methodAnswer{}, err
		}
	}
	exact, bols := cmp.Or(against.both, against.exact), cmp.Or(against.both, against.bols)
	r := &rewards.Batches{Sample: a.sample.rewards, Test: t.id, Of: [2]int{t.arm, t.against}, Combines: exact == "" && !a.facts.Binary()}
	if exact == "" || bols == "" {
		if err := r.Read(ctx); err != nil {
			return methodAnswer{}, err
		}
	}
	out := notBy(schemas.MethodBatchExact, cmp.Or(exact, noPair(r)))
	if out.result.Reason == "" {
		out = exactBatches(r, t, pay, publiclog.Joined(a.sample.rewards.IfMissing(schemas.ValidIfMissing), a.facts.Sampled.KeptIf(true)))
	}
	if a.facts.Slice.Schema().Batch && t.arm >= 0 {
		beside := bolsResult(cmp.Or(bols, r.Unusable()))
		if beside.Reason == "" {
			beside = standardised(r, t, publiclog.LogAlpha(a.protocol), pay)
		}
		out.beside = []schemas.TestResult{beside}
	}
	return out, nil
}

// exactBatches is the answer that decides. knownIf is what it rests on where rewards are missing or
// rows were dropped.
func exactBatches(r *rewards.Batches, t *answer, pay toll, knownIf string) methodAnswer {
	out := methodAnswer{result: schemas.TestResult{Method: schemas.MethodBatchExact, Applicable: true}, validIf: publiclog.Joined(schemas.ValidIfBatches, knownIf)}
	if r.Sample.Facts.Binary() {
		e := r.Bets.Evidence()
		out.result.ValidFor = anyTimeValid
		out.result.Correction = "wagers on the tables of batches, given their margins"
		out.logP, out.logE = -sideOf(t.alt, e.Largest), sideOf(t.alt, eprocess.Sides{Both: e.Both, Up: e.Up, Down: e.Down})
	} else {
		fisher := combined(r, t.alt)
		out.result.ValidFor = rerandomize.FixedArmValid
		out.result.Correction = "Fisher's combination of exact p-values of batches, given their margins"
		out.result.Statistic, out.result.DF = schemas.Finite(fisher.Statistic()), schemas.Finite(fisher.DF())
		if out.logP = fisher.LogP(); t.alt == hypothesis.TwoSided {
			out.logP = min(0, math.Ln2+out.logP)
		}
		out.logE = calibrated(out.logP)
	}
	side := "; it names no side"
	if t.alt != hypothesis.TwoSided {
		side = "; of its side it is valid where one arm pays stochastically no more than the other in every round"
	}
	out.result.Reason = "that the arms pay alike in every round, " + r.Over(r.Sample.Facts.Binary()) + side + "; " + out.validIf + pay.words
	pay.charge(&out)
	out.rounds, out.units = r.Rounds, t.record.Units
	if r.Sample.Facts.Drawn == conformance.DrawsByUnit {
		out.units = &r.Rounds
	}
	return out
}

// combined is the combination of a side, and of both that with the smaller p, which is
// then doubled.
func combined(r *rewards.Batches, alt hypothesis.Alternative) *stratified.Combination {
	if alt == hypothesis.Less || alt == hypothesis.TwoSided && r.Less.LogP() < r.Greater.LogP() {
		return &r.Less
	}
	return &r.Greater
}

// noPair is why the batches that were read say nothing; "" where they do, or none was
// read.
func noPair(r *rewards.Batches) string {
	if r.Number > 0 && r.Both == 0 {
		return "no batch holds both arms with a reward that is known"
	}
	return ""
}

// bolsResult is the result where it does not apply.
func bolsResult(why string) schemas.TestResult {
	return schemas.TestResult{Method: schemas.MethodBOLS, ValidFor: rerandomize.FixedArmValid, Approximate: true, Reason: why}
}

// standardised is the approximate answer that stands beside.
func standardised(r *rewards.Batches, t *answer, logAlpha float64, pay toll) schemas.TestResult {
	value := 0.0
	if t.kind == schemas.TestDifference {
		value = *t.spec.Value
	}
	estimate, se := r.Standard.Estimate()
	z := r.Standard.Z(value)
	level, logP := logAlpha-pay.log, 0.0
	lo, hi := math.Inf(-1), math.Inf(1)
	switch t.alt {
	case hypothesis.Greater:
		logP, lo = tail.LogNormal(z), estimate-float64(se*tail.NormalQuantile(level))
	case hypothesis.Less:
		logP, hi = tail.LogNormal(-z), estimate+float64(se*tail.NormalQuantile(level))
	case hypothesis.TwoSided:
		half := float64(se * tail.NormalQuantile(level-math.Ln2))
		logP, lo, hi = tail.LogNormalTwoSided(z), estimate-half, estimate+half
	}
	out := bolsResult("")
	out.Applicable, out.Statistic, out.CI = true, schemas.Finite(z), t.clip(lo, hi)
	setP(&out, min(0, logP+pay.log))
	out.Reason = bolsWords(estimate, se) + r.Over(false) + "; " + schemas.ValidIfBatches + pay.words
	return out
}

// bolsWords are the estimate in words.
func bolsWords(estimate, se float64) string {
	if math.IsNaN(estimate) {
		return ""
	}
	return fmt.Sprintf("approximate, where every batch has many rounds: the estimate of the difference is %.4g, its standard error %.4g; each batch is standardised by itself, ", estimate, se)
}
