package tail

import "math"

// LogBeta returns the logarithm of the regularised incomplete beta function,
//
//	ln I_x(a, b),  I_x(a, b) = (1/B(a, b)) ∫₀ˣ u^(a−1)·(1−u)^(b−1) du
//
// for a, b > 0 and x in [0, 1]. Both x and y = 1 − x are given, because the
// caller usually knows the smaller of them to full precision. The prefactor is
// Loader's saddle-point form, the rest the continued fraction of DiDonato &
// Morris (1992, TOMS 708, doi 10.1145/131766.131776); it takes about
// √max(a, b) steps at worst. Special cases are:
//
//	LogBeta(a, b, 0, 1) = -Inf
//	LogBeta(a, b, 1, 0) = 0
//	LogBeta = NaN if a ≤ 0, b ≤ 0, x < 0, y < 0 or an argument is NaN
func LogBeta(a, b, x, y float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || !(x >= 0) || !(y >= 0):
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case y == 0:
		return 0
	case float64(a*y) >= float64(b*x):
		return min(0, logBetaLower(a, b, x, y))
	}
	return logOneMinusExp(min(0, logBetaLower(b, a, y, x)))
}

// logBetaLower is LogBeta for x at or below the mean a/(a+b), where the
// continued fraction converges.
func logBetaLower(a, b, x, y float64) float64 {
	n := a + b
	prefix := float64(0.5*(math.Log(a)+math.Log(b/n))) - halfLogTwoPi +
		stirlingError(n) - stirlingError(a) - stirlingError(b) -
		deviance(a, n*x) - deviance(b, n*y)
	return prefix - math.Log(betaFraction(a, b, x, y))
}

// farRatio is the y/x beyond which the first term of the series in x is all of
// I_x(a, b), unless b is of its order.
const farRatio = 1e100

// firstBeta returns LogBeta(a, b, x, 1−x) for an x so small that b·x vanishes
// beside 1, given its logarithm,
//
//	a·ln x − ln a − ln B(a, b)
func firstBeta(a, b, logX float64) float64 {
	logB := halfLogTwoPi + stirlingError(a) + stirlingError(b) - stirlingError(a+b) -
		float64((a-0.5)*math.Log1p(b/a)) - float64((b-0.5)*math.Log1p(a/b)) - float64(0.5*math.Log(a+b))
	return min(0, float64(a*logX)-math.Log(a)-logB)
}

// betaFraction evaluates the continued fraction of TOMS 708 by the modified
// Lentz method. The bound on the steps is never reached for arguments up to
// 10¹² (about √max(a, b) steps suffice); it only rules out an endless loop.
func betaFraction(a, b, x, y float64) float64 {
	const eps, steps = 2.3e-16, 20_000_000
	drift := float64(a*y) - float64(b*x) + 1
	f := nonZero(a * drift / (a + 1))
	c, d := f, 0.0
	for k := 1.0; k < steps; k++ {
		q := a + float64(2*k) - 1
		num := ((a + k - 1) / q) * ((a + b + k - 1) / q) * (k * x) * ((b - k) * x)
		den := k + k*(b-k)*x/q + (a+k)*(drift+float64(k*(2-x)))/(q+2)
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

// nonZero replaces an exact 0 by a tiny number, as the modified Lentz method
// asks (Thompson & Barnett 1986).
func nonZero(x float64) float64 {
	if x == 0 {
		return 1e-300
	}
	return x
}
