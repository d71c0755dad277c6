package bitexact

// Expm1 returns e^x − 1, without loss of digits for small x, from the four
// basic operations: for |x| ≤ 0.35 by its series up to x¹³/13!, whose first
// omitted term is below 10⁻¹⁷ of the sum, and otherwise from Exp. The result is
// within 4 units in the last place.
//
// Special cases are the same as in Exp, less 1.
func Expm1(x float64) float64 {
	if x > 0.35 || x < -0.35 || x != x {
		return Exp(x) - 1
	}
	z := float64(x * x)
	even := float64(float64(float64(1.0/479001600*z)+1.0/3628800)*z) + 1.0/40320
	even = float64(float64(float64(even*z)+1.0/720)*z) + 1.0/24
	even = float64(even*z) + 1.0/2
	odd := float64(float64(float64(1.0/6227020800*z)+1.0/39916800)*z) + 1.0/362880
	odd = float64(float64(float64(odd*z)+1.0/5040)*z) + 1.0/120
	odd = float64(odd*z) + 1.0/6
	return x + float64(z*(even+float64(x*odd)))
}

// Ln1p returns ln(1+x), without loss of digits for small x: where 1 + x is between √½ and √2
// by the series of Ln, and otherwise, with w = 1 ⊕ x, as ln(w)·x/(w−1), because ln(w)/(w−1)
// changes slowly (Goldberg 1991, theorem 4). The result is within 5 units in the last place;
// x is above −1.
func Ln1p(x float64) float64 {
	if x > -0.29 && x < 0.41 {
		s := x / (2 + x)
		return x - float64(s*(x-series(float64(s*s))))
	}
	w := 1 + x
	return float64(Ln(w)*x) / (w - 1)
}

// Lift returns ln(y + x·e^d) for x + y = 1, both accurate and not negative,
// and d ≤ 700.
func Lift(x, y, d float64) float64 {
	if d >= -0.35 {
		return Ln1p(float64(x * Expm1(d)))
	}
	g := Exp(d)
	if v := float64(x * (g - 1)); v > -0.5 {
		return Ln1p(v)
	}
	return Ln(y + float64(x*g))
}

// Logistic returns 1/(1+e^{−u}) and 1/(1+e^u).
func Logistic(u float64) (x, y float64) {
	if u < 0 {
		y, x = Logistic(-u)
		return x, y
	}
	e := Exp(-u)
	return 1 / (1 + e), e / (1 + e)
}

// Stirling returns the remainder of Stirling's formula,
//
//	Δ(a) = ln Γ(a) − (a − ½)·ln a + a − ½·ln 2π,   a > 0,
//
// by its asymptotic series from a = 12 on (Abramowitz and Stegun 1964, 6.1.41),
// where the first omitted term is below 10⁻¹⁶, and below by
//
//	Δ(a) = Δ(a+1) + (a + ½)·ln(1 + 1/a) − 1.
//
// The error is below 10⁻¹⁴, and below 10⁻¹⁵ of Δ(a) where that is above 10.
func Stirling(a float64) float64 {
	sum := 0.0
	for a < 12 {
		sum += float64((a+0.5)*Ln1p(1/a)) - 1
		a++
	}
	z := 1 / float64(a*a)
	s := float64((float64(-691.0/360360*z) + 1.0/1188) * z)
	s = float64((s - 1.0/1680) * z)
	s = float64((s + 1.0/1260) * z)
	s = float64((s - 1.0/360) * z)
	return sum + (s+1.0/12)/a
}
