package noise

import (
	"fmt"
	"math"
)

// mixture is the law of a sum of independent Laplace variables of several
// scales, tabulated.
type mixture struct {
	parts []Component
	reach float64   // a sum is beyond it with probability e^{−deepest} at most
	end   float64   // beyond which the characteristic function is nothing
	table []float64 // ln P(|Y| ≥ x) at knots from 0 to 2·reach
}

const (
	// deepest bounds w of a mixture: smaller tails are lost in the cut of the
	// integral.
	deepest = 20
	knots   = 400
)

// mixture returns the law of parts, made once.
func (s *sample) mixture(parts []Component) *mixture {
	key := fmt.Sprint(parts)
	if m, ok := s.mixed[key]; ok {
		return m
	}
	if s.mixed == nil {
		s.mixed = map[string]*mixture{}
	}
	m := newMixture(parts)
	s.mixed[key] = m
	return m
}

func newMixture(parts []Component) *mixture {
	m := &mixture{parts: parts, table: make([]float64, knots+1)}
	var variance float64
	for _, p := range parts {
		variance += 2 * float64(p.Count) * p.Scale * p.Scale
	}
	b := widest(parts)
	m.reach = 25*b + 3*math.Sqrt(variance)
	for m.end = 1 / b; m.lnPhi(m.end) > -deepest-5; m.end *= 1.1 {
	}
	for i := range m.table {
		m.table[i] = m.integral(2 * m.reach * float64(i) / knots)
	}
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

// integral returns ln P(|Y| ≥ x), at least −deepest, from
//
//	P(|Y| ≥ x) = 1 − (2/π)·∫ sin(tx)/t·φ(t) dt
//
// by the midpoint rule with step h, whose error is P(|Y| > 2π/h − x) at most
// (Gil-Pelaez, Note on the inversion theorem, Biometrika 38, 1951; Davies,
// Numerical inversion of a characteristic function, Biometrika 60, 1973).
func (m *mixture) integral(x float64) float64 {
	if x <= 0 {
		return 0
	}
	h := 2 * math.Pi / (x + m.reach)
	var sum float64
	for t := h / 2; t < m.end; t += h {
		sum += math.Sin(t*x) / t * math.Exp(m.lnPhi(t))
	}
	return math.Log(min(1, max(math.Exp(-deepest), 1-2/math.Pi*h*sum)))
}

// lnTail interpolates between knots by the cubic through four of them.
func (m *mixture) lnTail(x float64) float64 {
	at := x / (2 * m.reach) * knots
	if !(at < knots) {
		return -deepest
	}
	i := min(max(int(at), 1), knots-2)
	f := at - float64(i)
	a, b, c, d := m.table[i-1], m.table[i], m.table[i+1], m.table[i+2]
	cubic := float64(-a*f*(f-1)*(f-2)/6) + float64(b*(f+1)*(f-1)*(f-2)/2) - float64(c*(f+1)*f*(f-2)/2) + float64(d*(f+1)*f*(f-1)/6)
	return min(0, cubic)
}
