package scalar

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
