package noise

import (
	"fmt"
	"math"
)

// mixture is the law of a sum of independent Laplace variables of several
// scales.
type mixture struct {
	parts  []Component
	widest float64
	end    float64 // beyond which the characteristic function is nothing
}

// deepest bounds w of a mixture: smaller tails are lost in the cut of the
// integral.
const deepest = 20

// mixture returns the law of parts, made once.
func (s *sample) mixture(parts []Component) *mixture {
	key := fmt.Sprint(parts)
	if m, ok := s.mixed[key]; ok {
		return m
	}
	if s.mixed == nil {
		s.mixed = map[string]*mixture{}
	}
	m := &mixture{parts: parts}
	for _, p := range parts {
		m.widest = max(m.widest, p.Scale)
	}
	for m.end = 1 / m.widest; m.lnPhi(m.end) > -deepest-5; m.end *= 1.1 {
	}
	s.mixed[key] = m
	return m
}

// lnPhi returns the log of the characteristic function −Σ count·ln(1+scale²t²).
func (m *mixture) lnPhi(t float64) float64 {
	var sum float64
	for _, p := range m.parts {
		bt := p.Scale * t
		sum -= float64(float64(p.Count) * math.Log1p(bt*bt))
	}
	return sum
}

// lnTail returns ln P(|Y| ≥ x), at least −deepest, from
//
//	P(|Y| ≥ x) = 1 − (2/π)·∫ sin(tx)/t·φ(t) dt
//
// by the midpoint rule with step h, whose error is P(|Y| > 2π/h − x) (Gil-Pelaez,
// Note on the inversion theorem, Biometrika 38, 1951; Davies, Numerical
// inversion of a characteristic function, Biometrika 60, 1973).
func (m *mixture) lnTail(x float64) float64 {
	if x <= 0 {
		return 0
	}
	var variance float64
	for _, p := range m.parts {
		variance += 2 * float64(p.Count) * p.Scale * p.Scale
	}
	reach := 25*m.widest + 3*math.Sqrt(variance)
	if x > 2*reach {
		return -deepest
	}
	h := 2 * math.Pi / (x + reach)
	var sum float64
	for t := h / 2; t < m.end; t += h {
		sum += math.Sin(t*x) / t * math.Exp(m.lnPhi(t))
	}
	return math.Log(min(1, max(math.Exp(-deepest), 1-2/math.Pi*h*sum)))
}
