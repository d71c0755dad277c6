package noise

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Where the length of a log may depend on what was released (Input.Stopped), a
// rule that watches the noise may stop when it looks worst. Laws for a number of
// draws that is fixed do not hold then. P is a bound on the probability that the
// draws look like this at any length, by one of two ways:
//
//	scale, sign   Ville's inequality, with a mixture of likelihood ratios
//	shape, growth P times m(m+1), m draws: Σ 1/(m(m+1)) = 1 over all lengths
//
// Bounds of independence and arms hold at any length anyway.

// lnScale returns the log of the likelihood ratio of m exponential variables with sum Σw:
// with a rate that is mixed over a gamma law of shape and rate 1, to rate 1:
//
//	Γ(1+m)·e^{Σw}/(1+Σw)^{1+m}
//
// Its mean under rate 1 is 1 at every m, and it is least where Σw = m (Robbins,
// Statistical methods related to the law of the iterated logarithm, Ann. Math.
// Statist. 41, 1970).
func lnScale(m, sum float64) float64 {
	if math.IsInf(sum, 1) {
		return sum
	}
	all, _ := math.Lgamma(1 + m)
	return all + sum - float64((1+m)*math.Log1p(sum))
}

// lnCoins is likewise for x heads of n coins, their probability mixed over the
// arcsine law, to fair ones.
func lnCoins(x, n int) float64 {
	return lnBeta(float64(x)+0.5, float64(n-x)+0.5) - lnBeta(0.5, 0.5) + float64(float64(n)*math.Ln2)
}

func lnBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// ville bounds the probability of evidence at any length: its inverse.
func ville(ln float64) float64 { return min(1, bitexact.Exp(-ln)) }

// anyLength is a test whose P holds at every length that is fixed, at any.
func (t Test) anyLength(m int) Test {
	if math.IsNaN(t.P) {
		return t
	}
	t.P = min(1, float64(t.P*float64(m)*float64(m+1)))
	t.Rejected = t.P <= t.Level
	t.Detail += "; times m(m+1) of m draws, since what was released may have decided the length of the log"
	return t
}

// villeEnds returns the sums beyond which lnScale convicts m draws at a level.
func villeEnds(m, level float64) (lo, hi float64) {
	enough := -math.Log(level)
	end := func(side float64) float64 {
		return m * bitexact.Exp(float64(side*crossing(0, func(x float64) bool {
			return x > 0 && lnScale(m, m*bitexact.Exp(float64(side*x))) >= enough
		})))
	}
	return end(-1), end(1)
}

// chiEnds returns the sums beyond which the test of the scale rejects at a level, where the
// number m of draws is fixed.
func chiEnds(m, level float64) (lo, hi float64) {
	return gammaQuantile(m, level/2, false), gammaQuantile(m, level/2, true)
}

// ends returns the sums of w beyond which the test of the scale rejects.
func (s *drawn) ends(m, level float64) (lo, hi float64) {
	if s.stopped {
		return villeEnds(m, level)
	}
	return chiEnds(m, level)
}
