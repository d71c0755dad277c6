package noise

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// mixture is the law of a sum of independent Laplace variables of several
// scales, tabulated.
type mixture struct {
	parts []Component
	reach float64   // a sum is beyond it with probability e^{−deepest} at most
	table []float64 // ln P(|Y| ≥ x) at knots from 0 to 2·reach
}

const (
	// deepest bounds w of a mixture: smaller tails are lost in the cut of the
	// integral.
	deepest = 20
	knots   = 400
)

// mixtures are laws made once.
type mixtures map[string]*mixture

// of returns the law of parts; nil where they have one scale.
func (m mixtures) of(parts []Component) *mixture {
	if len(parts) < 2 {
		return nil
	}
	key := fmt.Sprint(parts)
	law, ok := m[key]
	if !ok {
		law = newMixture(parts)
		m[key] = law
	}
	return law
}

// newMixture tabulates
//
//	P(|Y| ≥ x) = 1 − (2/π)·∫ sin(tx)/t·φ(t) dt
//
// by the midpoint rule with step h, whose error is P(|Y| > 2π/h − x) at most
// (Gil-Pelaez, Note on the inversion theorem, Biometrika 38, 1951; Davies,
// Numerical inversion of a characteristic function, Biometrika 60, 1973).
func newMixture(parts []Component) *mixture {
	m := &mixture{parts: parts}
	var variance float64
	for _, p := range parts {
		variance += float64(2 * float64(p.Count) * p.Scale * p.Scale)
	}
	m.reach = float64(25*widest(parts)) + float64(3*math.Sqrt(variance))
	h := 2 * math.Pi / (3 * m.reach)
	var weights []float64
	for j := 0; ; j++ {
		t := (float64(j) + 0.5) * h
		lnPhi := m.lnPhi(t)
		if lnPhi < -deepest-5 {
			break
		}
		weights = append(weights, bitexact.Exp(lnPhi)/t)
	}
	m.table = make([]float64, knots+1)
	for i := 1; i <= knots; i++ {
		inside := float64(2 / math.Pi * h * sines(weights, 2*m.reach*float64(i)/knots*h))
		m.table[i] = math.Log(min(1, max(bitexact.Exp(-deepest), 1-inside)))
	}
	return m
}

// sines returns Σ w_j·sin((j+½)·angle), by Clenshaw's recurrence.
func sines(w []float64, angle float64) float64 {
	twice := 2 * math.Cos(angle)
	var one, two float64
	for _, weight := range slices.Backward(w) {
		one, two = weight+float64(twice*one)-two, one
	}
	// s_j = sin((j+½)·angle) has s_{j+1} = twice·s_j − s_{j−1} and s_{−1} = −s_0.
	return math.Sin(angle/2) * (one + two)
}

// lnPhi returns the log of the characteristic function −Σ count·ln(1+scale²t²).
func (m *mixture) lnPhi(t float64) float64 {
	var sum float64
	for _, p := range m.parts {
		bt := p.Scale * t
		sum -= float64(float64(p.Count) * math.Log1p(float64(bt*bt)))
	}
	return sum
}

// lnTail interpolates between knots by the cubic through four of them.
func (m *mixture) lnTail(x float64) float64 {
	at := float64(x / (2 * m.reach) * knots)
	if !(at < knots) {
		return -deepest
	}
	i := min(max(int(at), 1), knots-2)
	f := at - float64(i)
	a, b, c, d := m.table[i-1], m.table[i], m.table[i+1], m.table[i+2]
	cubic := float64(-a*f*(f-1)*(f-2)/6) + float64(b*(f+1)*(f-1)*(f-2)/2) - float64(c*(f+1)*f*(f-2)/2) + float64(d*(f+1)*f*(f-1)/6)
	return min(0, cubic)
}
