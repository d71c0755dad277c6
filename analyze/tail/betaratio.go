package tail

import "math"

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
		float64(0.5*(math.Log1p(s/a)+math.Log1p(f/b)-math.Log1p(rows/kappa))) +
		stirlingError(a+s) + stirlingError(b+f) - stirlingError(n) -
		stirlingError(a) - stirlingError(b) + stirlingError(kappa)
}
