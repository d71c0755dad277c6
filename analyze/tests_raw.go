package analyze

import (
	"math"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// rawTest is a raw test, valid with the actions held fixed.
type rawTest struct {
	hypothesis.Result

	against corrections.NotApplicable // to its p
}

// refusedApproximate stands against a raw p that holds for many rounds only, where
// the protocol does not accept one. What is refused is to decide by it: it is printed.
func refusedApproximate(protocol *schemas.Protocol, r rawTest) corrections.NotApplicable {
	if r.against.Stands() || r.Exact || protocol.Analysis.Approximate == schemas.ApproximateAccept {
		return corrections.NotApplicable{}
	}
	return corrections.Against("A3", "the raw p holds for many rounds only, and a correction magnifies its error; to decide by it all the same write analysis.approximate: accept")
}

// naive is the raw test as it stands.
func (t *answer) naive(r rawTest) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodNaive, ValidFor: "fixed-arm", Approximate: !r.Exact}
	if r.against.Stands() {
		out.Reason = r.against.Why
		return out
	}
	out.Applicable = true
	out.Statistic, out.DF = schemas.Finite(r.Statistic), schemas.Finite(r.DF)
	out.CI = t.clip(r.Lo, r.Hi)
	setP(&out, r.LogP)
	return out
}

// noRaw is the outcome of a raw test that was not carried out.
func noRaw(n int64, estimate float64) hypothesis.Result {
	nan := math.NaN()
	return hypothesis.Result{N: n, Estimate: estimate, StdErr: nan, Statistic: nan, DF: nan, LogP: nan, Lo: nan, Hi: nan}
}

// setP writes p and log₂ p.
func setP(out *schemas.TestResult, logP float64) {
	out.P = schemas.Probability(logP)
	out.Log2P = schemas.Ext(float64(logP / math.Ln2))
}
