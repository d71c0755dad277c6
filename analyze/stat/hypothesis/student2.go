package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/moments"
)

const student2Assumes = "Two-sample t test: independent rewards, within each arm of one mean, and one variance in both arms; " +
	"exact for normal rewards, else asymptotic, " + fixedActions + "."

// Student2 is the t test of the difference of two arms' means, a − b, against a
// value with one variance in both,
//
//	t = (mean_a − mean_b − value)/(s·√(1/N_a + 1/N_b))
//	s² = (M2_a + M2_b)/df,  df = N_a + N_b − 2
//
// with the interval at level 1 − α, α = e^logAlpha.
//
// Assumes: independent rewards, of one mean in each arm and one variance in
// both, normal or many. Valid exactly for normal rewards, approximately
// otherwise (central limit theorem), and not where variances and numbers of
// rows differ ([Welch] is); for arms fixed in advance, or with the action
// sequence held fixed. A correction magnifies the error of the approximation in
// the tail. Special cases are the same as in Welch.
func Student2(a, b moments.Scalar, value float64, alt Alternative, logAlpha float64) Result {
	l := Location{Estimate: mean(a) - mean(b), StdErr: math.NaN(), DF: float64(a.N + b.N - 2)}
	if a.N > 1 && b.N > 1 {
		s2 := (a.M2 + b.M2) / l.DF
		l.StdErr = math.Sqrt(s2/float64(a.N) + s2/float64(b.N))
	}
	r := l.Test(value, alt, logAlpha)
	r.Assumes = student2Assumes
	return difference(r, "two-sample t test", a, b)
}
