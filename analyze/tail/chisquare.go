package tail

import "math"

// LogChiSquare returns the logarithm of the upper tail of the χ² law with df
// degrees of freedom,
//
//	ln P(X > x) = ln Q(df/2, x/2)
//
// by the power series below the mean and Legendre's continued fraction above
// it (DLMF 8.7.1 and 8.9.2). Special cases are:
//
//	LogChiSquare(x, df)    = 0 for x ≤ 0
//	LogChiSquare(+Inf, df) = -Inf
//	LogChiSquare(x, df)    = NaN if df ≤ 0, df is infinite, or an argument is NaN
func LogChiSquare(x, df float64) float64 {
	switch {
	case math.IsNaN(x) || !(df > 0) || math.IsInf(df, 1):
		return math.NaN()
	case x <= 0:
		return 0
	case math.IsInf(x, 1):
		return math.Inf(-1)
	}
	a, h := df/2, x/2
	// x^a·e^(−x)/Γ(a) in saddle-point form.
	prefix := float64(0.5*math.Log(a)) - halfLogTwoPi - stirlingError(a) - deviance(a, h)
	if h < a+1 {
		return logOneMinusExp(min(0, prefix-math.Log(a)+math.Log(gammaSeries(a, h))))
	}
	return min(0, prefix-math.Log(gammaFraction(a, h)))
}

// gammaSeries returns Σ_{k≥0} x^k/((a+1)…(a+k)).
func gammaSeries(a, x float64) float64 {
	term, sum := 1.0, 1.0
	for k := 1.0; term > 1e-17*sum; k++ {
		term = float64(term * (x / (a + k)))
		sum += term
	}
	return sum
}

// gammaFraction returns x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …)) by the
// modified Lentz method.
func gammaFraction(a, x float64) float64 {
	const eps, steps = 2.3e-16, 20_000_000
	f := nonZero(x + 1 - a)
	c, d := f, 0.0
	for k := 1.0; k < steps; k++ {
		num, den := -k*(k-a), x+1-a+float64(2*k)
		d = 1 / nonZero(den+float64(num*d))
		c = nonZero(den + num/c)
		step := float64(c * d)
		f *= step
		if math.Abs(step-1) <= eps {
			break
		}
	}
	return f
}
