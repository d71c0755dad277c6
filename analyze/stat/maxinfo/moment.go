package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// momentLevels bounds the levels that a search runs over, for a log of thousands
// of experiments whose rows all cost something else. More are compacted, which
// rounds costs up by a share of a percent.
const momentLevels = 256

// Moments returns the correction by the largest moments that a row's ratio of
// densities can have,
//
//	p_corr = min_{α>1} exp( −(1 − 1/α)·ln(1/p) + S(α)/α )
//	S(α)   = Σ_t K_t(α) − K_t(α−1) − K_t(1)
//	K_t(x) = x·ln( sinh(x·c_t/2) / (x·c_t/2) )
//
// S(α) is the exact ln sup E r^α over laws of mean 1 and range e^{c_t}; by
// S(α) ≤ α(α−1)·σ²/2 it is never above [Renyi], beyond rounding. Above 256
// different costs the levels are compacted. Apply and Level search α for
// some milliseconds there; every α gives a bound that holds, so the search
// need not end at the best. Source: own derivation, internally reviewed;
// extremal laws as in Harrison & Manurangsi (arXiv 2510.25746), transfer by
// Hölder's inequality as in van Erven & Harremoës 2014
// (doi 10.1109/TIT.2014.2320500). Special cases are the same as in [Renyi].
func Moments(levels []Level) Conditional {
	levels = Compact(levels, momentLevels)
	m := momentBound{levels: levels, total: Total(levels)}
	for _, l := range levels {
		m.ones = append(m.ones, logSinhc(l.Cost/2))
	}
	return m
}

type momentBound struct {
	levels []Level
	ones   []float64 // K_t(1), by level
	total  float64
	known  map[float64]float64 // S by α, while a level is searched; nil: none is kept
}

// Name returns what it is, in words.
func (momentBound) Name() string { return "largest moments of the rows given the actions" }

// Apply returns ln p_corr, rounded up.
func (m momentBound) Apply(logP float64) float64 {
	if q, done := plain(logP, m.total); done {
		return q
	}
	// α is searched as ln(α − 1): as a function of 1/α the exponent is convex.
	exponent := func(a float64) float64 {
		alpha := 1 + bitexact.Exp(a)
		return (float64(logP*bitexact.Exp(a)) + m.exponent(alpha)) / alpha
	}
	best := exponent(golden(-20, 30, 50, exponent))
	if math.IsNaN(best) {
		best = 0
	}
	best = min(best, logP+m.total) // the limit for α → ∞
	return max(logP, min(0, best-float64(slack*logP)))
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (m momentBound) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, m.total); done {
		return g
	}
	m.known = map[float64]float64{} // Apply searches where this did
	// The exponent at α is ln α_corr where ln(1/p) = (α·ln(1/α_corr) + S)/(α − 1).
	surprise := func(a float64) float64 {
		alpha := 1 + bitexact.Exp(a)
		return (m.exponent(alpha) - float64(alpha*logAlpha)) * bitexact.Exp(-a)
	}
	best := surprise(golden(-20, 30, 50, surprise))
	if math.IsNaN(best) {
		best = math.Inf(1)
	}
	return settled(downward(-min(best, m.total-logAlpha)), logAlpha, m.Apply)
}

func (momentBound) givenActions() {}

// exponent returns S(α), rounded up, for α > 1.
func (m momentBound) exponent(alpha float64) float64 {
	if s, ok := m.known[alpha]; ok {
		return s
	}
	sum, size := 0.0, 0.0
	for i, l := range m.levels {
		s, made := momentTerm(alpha, l.Cost/2, m.ones[i])
		sum += float64(float64(l.Rows) * s)
		size += float64(float64(l.Rows) * made)
	}
	sum += float64(size * (summed(m.levels) - 1))
	if m.known != nil {
		m.known[alpha] = sum
	}
	return sum
}

// momentTerm returns K(α) − K(α−1) − K(1) for h = c/2, of which K(1) is given, and the size
// of what it was made of, on which its digits depend. Where sinh is past its bend the
// parts of K that are linear in its argument, ever larger, are taken together.
func momentTerm(alpha, h, c float64) (s, made float64) {
	linear, bent := 0.0, logSinhc
	if (alpha-1)*h >= 1 {
		linear = float64(2 * h * (alpha - 1))
		bent = func(y float64) float64 { return math.Log1p(-bitexact.Exp(-2*y)) - math.Log(2*y) }
	}
	a := float64(alpha * bent(alpha*h))
	b := float64((alpha - 1) * bent((alpha-1)*h))
	if linear > 0 {
		c -= h
	}
	return linear + a - b - c, linear + math.Abs(a) + math.Abs(b) + math.Abs(c)
}

// logSinhc returns ln(sinh(y)/y) for y ≥ 0. Below 1 the series of sinh(y)/y − 1
// is summed, whose terms are all positive.
func logSinhc(y float64) float64 {
	if y >= 1 {
		return y + math.Log1p(-bitexact.Exp(-2*y)) - math.Log(2*y)
	}
	x, s := float64(y*y), 1.0
	for k := 8; k >= 1; k-- {
		s = 1 + float64(x*s)/float64((2*k+2)*(2*k+3))
	}
	return math.Log1p(float64(x*s) / 6)
}
