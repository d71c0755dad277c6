package tail

import "math"

// LogBinomialAtLeast returns the logarithm of the upper tail of the binomial
// law of n trials with probability p,
//
//	ln P(X ≥ k) = ln I_p(k, n−k+1)
//
// (Abramowitz & Stegun 26.5.24). It holds for n up to 10⁹ and beyond at about
// √n steps. Special cases are:
//
//	LogBinomialAtLeast(k, n, p) = 0 for k ≤ 0
//	LogBinomialAtLeast(k, n, p) = -Inf for k > n
//	LogBinomialAtLeast(k, n, p) = NaN if n < 0, or p is NaN or outside [0, 1]
func LogBinomialAtLeast(k, n int64, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k <= 0:
		return 0
	case k > n:
		return math.Inf(-1)
	}
	return LogBeta(float64(k), float64(n-k)+1, p, 1-p)
}

// LogBinomialAtMost returns ln P(X ≤ k) of the binomial law of n trials with
// probability p,
//
//	ln P(X ≤ k) = ln I_{1−p}(n−k, k+1)
//
// Special cases are:
//
//	LogBinomialAtMost(k, n, p) = 0 for k ≥ n
//	LogBinomialAtMost(k, n, p) = -Inf for k < 0
//	LogBinomialAtMost(k, n, p) = NaN if n < 0, or p is NaN or outside [0, 1]
func LogBinomialAtMost(k, n int64, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k >= n:
		return 0
	case k < 0:
		return math.Inf(-1)
	}
	return LogBeta(float64(n-k), float64(k)+1, 1-p, p)
}
