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
	log, lower := logGammaTail(df/2, x/2)
	if lower {
		return logOneMinusExp(log)
	}
	return log
}

// LogChiSquareBelow returns the logarithm of the lower tail of the χ² law with df degrees
// of freedom,
//
//	ln P(X ≤ x) = ln P(df/2, x/2)
//
// as LogChiSquare does. Special cases are:
//
//	LogChiSquareBelow(x, df)    = -Inf for x ≤ 0
//	LogChiSquareBelow(+Inf, df) = 0
//	LogChiSquareBelow(x, df)    = NaN if df ≤ 0, df is infinite, or an argument is NaN
func LogChiSquareBelow(x, df float64) float64 {
	switch {
	case math.IsNaN(x) || !(df > 0) || math.IsInf(df, 1):
		return math.NaN()
	case x <= 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return 0
	}
	log, lower := logGammaTail(df/2, x/2)
	if lower {
		return log
	}
	return logOneMinusExp(log)
}

// logGammaTail returns ln P(a, x), and then lower, or ln Q(a, x), whichever can be computed
// directly.
func logGammaTail(a, x float64) (log float64, lower bool) {
	// x^a·e^(−x)/Γ(a) in saddle-point form.
	prefix := float64(0.5*math.Log(a)) - halfLogTwoPi - stirlingError(a) - deviance(a, x)
	if x < a+1 {
		return min(0, prefix-math.Log(a)+math.Log(gammaSeries(a, x))), true
	}
	return min(0, prefix-math.Log(gammaFraction(a, x))), false
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
