package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
)

const normalAssumes = "z test: independent rewards with one mean and the declared standard deviation; " +
	"exact for normal rewards, else asymptotic, " + fixedActions + "."

// Normal is the z test of a mean against a value with a declared standard
// deviation σ of one reward,
//
//	z = (mean − value)/(σ/√N)
//
// with the interval at level 1 − α, α = e^logAlpha. The data's own variance
// plays no part.
//
// Assumes: independent rewards with one mean and the declared σ (never one that
// was computed from these rewards), normal or many. Valid exactly for normal
// rewards, approximately otherwise (central limit theorem), for the rows of an
// arm fixed in advance, or with the action sequence held fixed. A correction
// magnifies the error of the approximation in the tail. DF is +Inf. Special
// cases are:
//
//	N = 0: everything is NaN, with a warning
//	σ ≤ 0, infinite or NaN: statistic, p and interval are NaN, with a warning
//	1 ≤ N < 30: a warning
//	a χ² test at 10⁻⁶ rejects that the rewards have this σ: a warning
func Normal(s moments.Scalar, value, sigma float64, alt Alternative, logAlpha float64) Result {
	l := Location{Estimate: mean(s), StdErr: math.NaN(), DF: math.Inf(1)}
	known := sigma > 0 && !math.IsInf(sigma, 1)
	if known && s.N > 0 {
		l.StdErr = sigma / math.Sqrt(float64(s.N))
	}
	r := l.Test(value, alt, logAlpha)
	r.N, r.Assumes = s.N, normalAssumes
	switch {
	case s.N == 0:
		r.Warnings = []string{"z test: there are no rows"}
	case !known:
		r.Warnings = []string{fmt.Sprintf("z test: sigma is %g; declare a positive standard deviation", sigma)}
	case s.N < SmallSample:
		r.Warnings = []string{fmt.Sprintf("z test: N = %d is below %d, so the p-value leans on normal rewards", s.N, SmallSample)}
	}
	r.Warnings = append(r.Warnings, otherSigma("z test", sigma, s.M2, float64(s.N-1))...)
	return r
}

// otherSigma warns where a χ² test at 10⁻⁶, exact for normal rewards, rejects
// that their standard deviation is the declared one; m2/df is their variance.
func otherSigma(name string, sigma, m2, df float64) []string {
	const level = 1e-6
	if !(sigma > 0) || math.IsInf(sigma, 1) || !(df > 0) {
		return nil
	}
	own := math.Sqrt(m2/df) / sigma
	logP := tail.LogChiSquare(float64(df*float64(own*own)), df)
	if logP > math.Log(level/2) && logP < math.Log1p(-level/2) {
		return nil
	}
	return []string{fmt.Sprintf("%s: the rewards' own standard deviation is %.3g times the declared sigma %g, beyond chance for normal rewards (χ² test at 1e-6); the p-value holds for the declared one only", name, own, sigma)}
}
