package tail

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// farNormal is where erfc hands over to the continued fraction, well before
// erfc underflows at z ≈ 38.
const farNormal = 25

// LogNormal returns the logarithm of the upper tail of the standard normal law,
//
//	ln P(Z > z) = ln( ½·erfc(z/√2) )
//
// Beyond z = 25 it uses Laplace's continued fraction for the Mills ratio
// (Abramowitz & Stegun 26.2.14, DLMF 7.9.2). Special cases are:
//
//	LogNormal(+Inf) = -Inf
//	LogNormal(-Inf) = 0
//	LogNormal(NaN)  = NaN
func LogNormal(z float64) float64 {
	switch {
	case math.IsInf(z, 1):
		return math.Inf(-1)
	case z > farNormal:
		f := z
		for k := 40.0; k >= 1; k-- {
			f = z + k/f
		}
		return float64(-0.5*z*z) - halfLogTwoPi - math.Log(f)
	case z < 0:
		return math.Log1p(-0.5 * bitexact.Erfc(-z/math.Sqrt2))
	}
	return math.Log(0.5 * bitexact.Erfc(z/math.Sqrt2))
}

// LogNormalTwoSided returns ln P(|Z| > |z|). Special cases are:
//
//	LogNormalTwoSided(0)    = 0
//	LogNormalTwoSided(±Inf) = -Inf
//	LogNormalTwoSided(NaN)  = NaN
func LogNormalTwoSided(z float64) float64 {
	return min(0, math.Ln2+LogNormal(math.Abs(z)))
}

// NormalQuantile returns the smallest float64 z with ln P(Z > z) ≤ logQ, the
// upper quantile. Special cases are:
//
//	NormalQuantile(-Inf) = +Inf
//	NormalQuantile(0)    = -Inf
//	NormalQuantile(logQ) = NaN if logQ > 0 or logQ is NaN
func NormalQuantile(logQ float64) float64 {
	return upperQuantile(logQ, LogNormal)
}

// upperQuantile inverts the log upper tail of a law that is symmetric about 0.
func upperQuantile(logQ float64, logTail func(float64) float64) float64 {
	switch {
	case !(logQ <= 0):
		return math.NaN()
	case logQ == 0:
		return math.Inf(-1)
	case math.IsInf(logQ, -1):
		return math.Inf(1)
	case logQ > -math.Ln2:
		return -upperQuantile(logOneMinusExp(logQ), logTail)
	}
	return FirstTrue(math.MaxFloat64, func(z float64) bool { return logTail(z) <= logQ })
}
