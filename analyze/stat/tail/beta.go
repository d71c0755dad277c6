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

// LogBetaRatio returns the logarithm of what a guess with the law Beta(a, b) earns
// against its own mean, on s successes and f failures,
//
//	ln [ B(a+s, b+f)/B(a, b) ] − s·ln μ − f·ln(1−μ),  μ = a/(a+b)
//
// for a, b > 0 and s, f ≥ 0, which need not be whole. With N = a + b + s + f, and δ and
// D of Loader's saddle-point form, it is computed as
//
//	D(a+s, N·μ) + D(b+f, N·(1−μ)) − ½·ln[(1+s/a)·(1+f/b)/(1+(s+f)/(a+b))]
//	+ δ(a+s) + δ(b+f) − δ(N) − δ(a) − δ(b) + δ(a+b)
//
// in which nothing of the size of ln Γ(N) cancels. Special cases are:
//
//	s = f = 0 gives 0
//	a ≤ 0, b ≤ 0, s < 0, f < 0 or an argument that is NaN gives NaN
func LogBetaRatio(a, b, s, f float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || !(s >= 0) || !(f >= 0):
		return math.NaN()
	case s == 0 && f == 0:
		return 0
	}
	kappa, rows := a+b, s+f
	n := kappa + rows
	return deviance(a+s, a+float64(a/kappa*rows)) + deviance(b+f, b+float64(b/kappa*rows)) -
		float64(0.5*(log1pRatio(s, a)+log1pRatio(f, b)-log1pRatio(rows, kappa))) +
		stirlingError(a+s) + stirlingError(b+f) - stirlingError(n) -
		stirlingError(a) - stirlingError(b) + stirlingError(kappa)
}

// log1pRatio is ln(1+x/y) for x ≥ 0 and y > 0, also where x/y is beyond the numbers.
func log1pRatio(x, y float64) float64 {
	if q := x / y; !math.IsInf(q, 1) {
		return math.Log1p(q)
	}
	return math.Log(x) - math.Log(y)
}

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
