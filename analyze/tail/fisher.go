package tail

import "math"

// LogFisher returns the logarithm of the upper tail of the F law with d1 and
// d2 degrees of freedom,
//
//	ln P(F > f) = ln I_{d2/(d2+d1·f)}(d2/2, d1/2)
//
// (Abramowitz & Stegun 26.6.2). Special cases are:
//
//	LogFisher(f, d1, d2)    = 0 for f ≤ 0
//	LogFisher(+Inf, d1, d2) = -Inf
//	LogFisher(f, d1, d2)    = NaN if d1 ≤ 0, d2 ≤ 0, one of them is infinite, or an argument is NaN
func LogFisher(f, d1, d2 float64) float64 {
	switch {
	case math.IsNaN(f) || !(d1 > 0) || !(d2 > 0) || math.IsInf(d1, 1) || math.IsInf(d2, 1):
		return math.NaN()
	case f <= 0:
		return 0
	case math.IsInf(f, 1):
		return math.Inf(-1)
	}
	u := float64(d1 / d2 * f)
	if u > farRatio && d1 < farRatio/1e20 {
		return firstBeta(d2/2, d1/2, math.Log(d2)-math.Log(d1)-math.Log(f))
	}
	return LogBeta(d2/2, d1/2, 1/(1+u), u/(1+u))
}
