package bitexact

import "math"

// Pow returns x^y by powers with a whole exponent, and e^{f·ln x} for what is left of it,
//
//	x^y = x^k·e^{f·ln x},  k the integer nearest to y, f = y − k
//
// The first factor comes from package math, which multiplies and squares; for a whole y it
// is all. The result is within 8 units in the last place where both factors and it are
// normal numbers. Special cases are the same as in package math.
func Pow(x, y float64) float64 {
	k := math.RoundToEven(y)
	switch f := y - k; {
	case f == 0 || f != f || !(x > 0) || math.IsInf(x, 1):
		return math.Pow(x, y) // no exponential is in it
	case f == 0.5:
		return math.Pow(x, k) * math.Sqrt(x)
	case f == -0.5:
		return math.Pow(x, k) / math.Sqrt(x)
	default:
		return math.Pow(x, k) * Exp(float64(f*Ln(x)))
	}
}

// Tanh returns the hyperbolic tangent, t/(t + 2) with t = e^{2x} − 1. The result is within
// 8 units in the last place.
//
// Special cases are:
//
//	Tanh(±0) = ±0
//	Tanh(x) = ±1 for |x| above 22
//	Tanh(NaN) = NaN
func Tanh(x float64) float64 {
	switch {
	case x > 22:
		return 1
	case x < -22:
		return -1
	case x == 0:
		return x
	}
	t := Expm1(2 * math.Abs(x))
	return math.Copysign(t/(t+2), x)
}

// Sinh returns the hyperbolic sine, (t + t/(t + 1))/2 with t = e^x − 1. The result is
// within 8 units in the last place.
//
// Special cases are:
//
//	Sinh(±0) = ±0
//	Sinh(±Inf) = ±Inf, and so is Sinh(x) for |x| above 709.7
//	Sinh(NaN) = NaN
func Sinh(x float64) float64 {
	if x == 0 || x != x {
		return x
	}
	t := Expm1(math.Abs(x))
	if math.IsInf(t, 1) {
		return math.Copysign(t, x)
	}
	return math.Copysign((t+t/(t+1))/2, x)
}
