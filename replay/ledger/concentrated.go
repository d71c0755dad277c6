package ledger

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// PureRho returns ε·tanh(ε/2), rounded up: a ρ of zero-concentrated
// differential privacy that every pure ε-differentially private mechanism has,
// attained by randomised response (own derivation, internally reviewed; Bun and
// Steinke 2016, arXiv:1605.02065, proposition 1.4, have the larger ε²/2).
//
// Special cases are:
//
//	ε = +Inf gives +Inf
func PureRho(epsilon float64) float64 {
	if epsilon == 0 {
		return 0
	}
	return float64(float64(epsilon*bitexact.Tanh(epsilon/2)) * (1 + 1e-12))
}

// Concentrated returns the ρ of zero-concentrated differential privacy of a
// mechanism: the smaller of its own Rho and the Rho of every mechanism with its ε. Both are
// suprema over all action sequences; nothing that conditions on the actions may use them.
func Concentrated(law Law) float64 { return min(law.Rho(), PureRho(law.Epsilon().Up())) }

// GroupRho returns m²·ρ, rounded up: the ρ for somebody who owns m ≥ 1 rows of
// a ρ-zCDP mechanism, (Σ√ρ_t)² with equal terms (Bun and Steinke 2016,
// proposition 1.9).
func GroupRho(rho float64, m int64) float64 {
	if rho == 0 || m <= 1 {
		return rho
	}
	f := float64(m)
	return float64(float64(f*f) * rho * (1 + 1e-15))
}

// Approximate returns an ε for which a ρ-zCDP mechanism is (ε, δ)-differentially
// private,
//
//	min over α > 1 of  α·ρ + ln(1−1/α) − (ln δ + ln α)/(α−1),
//
// rounded up (Canonne, Kamath and Steinke 2020, arXiv:2004.00010, corollary 13).
// Every α gives a valid ε, so that the search need not be exact.
//
// Special cases are:
//
//	ρ = 0 gives 0
//	ρ = +Inf, or δ outside (0, 1), gives +Inf
func Approximate(rho, delta float64) float64 {
	switch {
	case rho == 0:
		return 0
	case math.IsInf(rho, 1) || !(delta > 0 && delta < 1):
		return math.Inf(1)
	}
	at := func(x float64) float64 { // x = ln(α−1)
		b := bitexact.Exp(x)
		return float64((1+b)*rho) - math.Log1p(1/b) - (math.Log(delta)+math.Log1p(b))/b
	}
	lo, hi := -40.0, 40.0
	for range 200 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if at(a) <= at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	x := (lo + hi) / 2
	e := at(x)
	return math.Max(0, e+float64(1e-12*(math.Abs(e)+float64((1+bitexact.Exp(x))*rho))))
}

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
		term = float64(term * (-e / n))
		sum -= term
	}
	return sum
}

// shortfall returns 1 − h/sinh h.
func shortfall(h float64) float64 {
	if h > 0.1 {
		return 1 - h/bitexact.Sinh(h)
	}
	z := float64(h * h)
	s := float64(z / 6 * (1 + float64(z/20*(1+float64(z/42*(1+z/72)))))) // sinh(h)/h − 1
	return s / (1 + s)
}
