package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

const binomialAssumes = "Exact binomial test: rewards of 0 or 1, independent, with one mean; " +
	"exact at every N, " + fixedActions + "."

// Binomial tests the probability of success behind n independent 0/1 rewards
// against p0, exactly,
//
//	two-sided: p = min(1, 2·min(P(X ≤ x), P(X ≥ x))),  X ~ Bin(n, p0)
//	greater:   p = P(X ≥ x)
//	less:      p = P(X ≤ x)
//
// with the interval of Clopper & Pearson (1934, doi 10.1093/biomet/26.4.404) at
// level 1 − α, α = e^logAlpha, so that p ≤ α exactly when p0 lies outside it.
// (R's binom.test orders outcomes by likelihood in the two-sided case and
// differs.) The ends are rounded outwards.
//
// Assumes: rewards are 0 or 1, independent, with one mean. Valid at every n,
// for the rows of an arm fixed in advance, or with the action sequence held
// fixed. Statistic is x; StdErr and DF are NaN. Special cases are:
//
//	n = 0: p = 1, interval [0, 1], estimate NaN, with a warning
//	p0 = 0 or p0 = 1 with an outcome that is then impossible: LogP = -Inf
//	x < 0, x > n, n < 0, p0 outside [0, 1] or logAlpha > 0: everything NaN, with a warning
func Binomial(x, n int64, p0 float64, alt Alternative, logAlpha float64) Result {
	r := undefined(n)
	r.Exact, r.Assumes = true, binomialAssumes
	if x < 0 || x > n || !(p0 >= 0 && p0 <= 1) || !(logAlpha <= 0) {
		r.Warnings = []string{"binomial test: needs 0 ≤ successes ≤ rows, a value in [0, 1] and a level of at most 1"}
		return r
	}
	r.Statistic = float64(x)
	if n == 0 {
		r.Warnings = []string{"binomial test: there are no rows, so nothing can be rejected"}
	} else {
		r.Estimate = float64(x) / float64(n)
	}
	r.LogP = BinomialLogP(x, n, p0, alt)
	r.Lo, r.Hi = clopperPearson(x, n, alt, logAlpha)
	return r
}

// BinomialLogP returns the LogP of Binomial, without its interval, which takes
// most of its time. Its arguments must be such as Binomial takes.
func BinomialLogP(x, n int64, p0 float64, alt Alternative) float64 {
	switch alt {
	case Greater:
		return tail.LogBinomialAtLeast(x, n, p0)
	case Less:
		return tail.LogBinomialAtMost(x, n, p0)
	default:
		return doubled(min(tail.LogBinomialAtLeast(x, n, p0), tail.LogBinomialAtMost(x, n, p0)))
	}
}

// doubled is ln min(1, 2p). What is within 10⁻¹² of 1 is 1: e and ln leave 1 − 2⁻⁵³ of it,
// and a p below 1 says that the rewards said something.
func doubled(logP float64) float64 {
	const nearly = -1e-12
	if out := math.Ln2 + logP; !(out > nearly) {
		return out
	}
	return 0
}

// Share returns the share of n independent runs in which something held, x of them,
// and its Clopper–Pearson interval of 95 %, which is [0, 1 − 0.025^(1/n)] and not [0, 0]
// where it held in none (1934, doi 10.1093/biomet/26.4.404). n = 0 gives NaN and [0, 1]; x outside
// [0, n] gives NaN alone.
func Share(x, n int64) (value, lo, hi float64) {
	const level = 0.05
	if x < 0 || x > n {
		return math.NaN(), math.NaN(), math.NaN()
	}
	lo, hi = clopperPearson(x, n, TwoSided, math.Log(level))
	return float64(x) / float64(n), lo, hi
}

func clopperPearson(x, n int64, alt Alternative, logAlpha float64) (lo, hi float64) {
	lo, hi = 0, 1
	if alt == TwoSided {
		logAlpha -= math.Ln2
	}
	if alt != Less {
		lo = clopperLower(x, n, logAlpha)
	}
	if alt != Greater {
		hi = clopperUpper(x, n, logAlpha)
	}
	return lo, hi
}

// clopperLower is the largest p at which P(X ≥ x) is still at most α.
func clopperLower(x, n int64, logAlpha float64) float64 {
	first := tail.FirstTrue(1, func(p float64) bool { return tail.LogBinomialAtLeast(x, n, p) > logAlpha })
	if first == 0 {
		return 0
	}
	return math.Nextafter(min(first, 1), 0)
}

// clopperUpper is the smallest p at which P(X ≤ x) is at most α.
func clopperUpper(x, n int64, logAlpha float64) float64 {
	return min(1, tail.FirstTrue(1, func(p float64) bool { return tail.LogBinomialAtMost(x, n, p) <= logAlpha }))
}
