package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

const welchAssumes = "Welch's t test: independent rewards, within each arm of one mean and one variance; " +
	"asymptotic, and an approximation of its degrees of freedom also for normal rewards, " + fixedActions + "."

// Welch is the t test of the difference of two arms' means, a − b, against a
// value with the arms' own variances (Welch 1947, doi 10.1093/biomet/34.1-2.28),
//
//	t = (mean_a − mean_b − value)/√(v_a + v_b),  v = s²/N
//	df = (v_a + v_b)²/(v_a²/(N_a−1) + v_b²/(N_b−1))
//
// with the interval at level 1 − α, α = e^logAlpha.
//
// Assumes: independent rewards, in each arm of one mean and one variance, normal
// or many. Valid approximately (central limit theorem; also for normal rewards,
// because df is a fit), for arms fixed in advance, or with the action sequence
// held fixed. A correction magnifies the error of the approximation in the tail.
// Special cases are:
//
//	an arm without rows: everything is NaN, with a warning
//	an arm with one row: statistic, p and interval are NaN, with a warning
//	an arm in which all rewards are equal, which tells nothing of its variance: likewise
//	fewer than 30 rows in an arm: a warning
func Welch(a, b moments.Scalar, value float64, alt Alternative, logAlpha float64) Result {
	v, w := a.Variance()/float64(a.N), b.Variance()/float64(b.N)
	l := Location{Estimate: mean(a) - mean(b), StdErr: math.Sqrt(v + w)}
	// Shares of the variance, so that no square of it can underflow.
	p, q := v/(v+w), w/(v+w)
	l.DF = 1 / (p*p/float64(a.N-1) + float64(q*q)/float64(b.N-1))
	r := l.Test(value, alt, logAlpha)
	r.Assumes = welchAssumes
	return difference(r, "Welch's t test", a, b)
}

// difference completes the result of a test of two arms whose variances are
// computed from their rows.
func difference(r Result, name string, a, b moments.Scalar) Result {
	r.N = a.N + b.N
	switch fewest := min(a.N, b.N); {
	case fewest < 2:
		r.DF = math.NaN()
		r.Warnings = []string{fmt.Sprintf("%s: in an arm %s no variance; at least 2 are needed in each", name, has(fewest, "row"))}
	case a.M2 == 0 || b.M2 == 0:
		r = untested(r)
		r.Warnings = []string{name + ": in an arm all rewards are equal, which tells nothing of their variance, so there is no p-value; use hoeffding or bernstein"}
	case fewest < SmallSample:
		r.Warnings = []string{fmt.Sprintf("%s: N = %d in one arm is below %d, so the p-value leans on normal rewards", name, fewest, SmallSample)}
	}
	return r
}
