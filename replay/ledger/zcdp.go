package ledger

import "math"

// LaplaceRho returns the ρ of zero-concentrated differential privacy of one
// release with discrete Laplace noise whose probability falls by e^{−h} from
// one lattice point to the next, h > 0, for a row that moves it by the loss
// epsilon ≥ 0, a multiple of h:
//
//	ρ = ε − (h/sinh h)·(1 − e^{−ε})
//
// (Harrison and Manurangsi, FORC 2026, arXiv:2510.25746). It grows with ε
// faster than ε, so that several coordinates of one release cost a row at most
// what all of its loss in one coordinate does. The value is rounded up by one
// part in 10¹².
//
// Special cases are:
//
//	ε = 0 gives 0
func LaplaceRho(epsilon, h float64) float64 {
	if epsilon == 0 {
		return 0
	}
	// ε − (1−e^{−ε}) and 1 − h/sinh h, each without cancellation.
	rho := excess(epsilon) - float64(shortfall(h)*math.Expm1(-epsilon))
	return float64(rho * (1 + 1e-12))
}

// excess returns ε − (1 − e^{−ε}).
func excess(e float64) float64 {
	if e > 0.1 {
		return e + math.Expm1(-e)
	}
	// e²/2 − e³/6 + e⁴/24 − …
	sum, term := 0.0, e
	for n := 2.0; n < 14; n++ {
		term *= -e / n
		sum -= term
	}
	return sum
}

// shortfall returns 1 − h/sinh h.
func shortfall(h float64) float64 {
	if h > 0.1 {
		return 1 - h/math.Sinh(h)
	}
	z := float64(h * h)
	s := z / 6 * (1 + z/20*(1+z/42*(1+z/72))) // sinh(h)/h − 1
	return s / (1 + s)
}
