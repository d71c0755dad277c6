package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

const normalDifferenceAssumes = "Two-sample z test: independent rewards, within each arm of one mean, with the declared standard deviation in both; " +
	"exact for normal rewards, else asymptotic, " + fixedActions + "."

// NormalDifference is the z test of the difference of two arms' means, a − b,
// against a value with a declared standard deviation σ of one reward,
//
//	z = (mean_a − mean_b − value)/(σ·√(1/N_a + 1/N_b))
//
// with the interval at level 1 − α, α = e^logAlpha.
//
// Assumes what [Normal] does, in both arms. DF is +Inf. Special cases are:
//
//	an arm without rows: everything is NaN, with a warning
//	σ ≤ 0, infinite or NaN: statistic, p and interval are NaN, with a warning
//	fewer than 30 rows in an arm: a warning
//	a χ² test at 10⁻⁶ rejects that the rewards of both arms have this σ: a warning
func NormalDifference(a, b moments.Scalar, value, sigma float64, alt Alternative, logAlpha float64) Result {
	l := Location{Estimate: mean(a) - mean(b), StdErr: math.NaN(), DF: math.Inf(1)}
	known := sigma > 0 && !math.IsInf(sigma, 1)
	fewest := min(a.N, b.N)
	if known && fewest > 0 {
		l.StdErr = sigma * math.Sqrt(1/float64(a.N)+1/float64(b.N))
	}
	r := l.Test(value, alt, logAlpha)
	r.N = a.N + b.N
	r.Assumes = normalDifferenceAssumes
	switch {
	case fewest == 0:
		r.Warnings = []string{"two-sample z test: an arm has no rows"}
	case !known:
		r.Warnings = []string{fmt.Sprintf("two-sample z test: sigma is %g; declare a positive standard deviation", sigma)}
	case fewest < SmallSample:
		r.Warnings = []string{fmt.Sprintf("two-sample z test: N = %d in one arm is below %d, so the p-value leans on normal rewards", fewest, SmallSample)}
	}
	if fewest > 0 {
		r.Warnings = append(r.Warnings, otherSigma("two-sample z test", sigma, a.M2+b.M2, float64(r.N-2))...)
	}
	return r
}
