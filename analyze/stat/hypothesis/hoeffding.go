package hypothesis

import "math"

const hoeffdingAssumes = "Hoeffding's inequality: rewards within the declared range, of any law and not necessarily of one law, " +
	"in independent units (rows, or the declared unit); exact at every N, for the mean of the rows' expectations, " + fixedActions + "."

// Hoeffding tests the mean of bounded rewards against a value by Hoeffding's
// inequality (1963, theorem 2, doi 10.1080/01621459.1963.10500830). For units
// with n_u rows of N, the sum over a unit lies in an interval of n_u·Δ, Δ = Hi
// − Lo, so
//
//	one-sided: p = exp(−2·d²·N²/(Δ²·Σ n_u²)),  d = mean − value (greater)
//	two-sided: p = min(1, 2·exp(…)), d = |mean − value|
//
// and p = 1 where d ≤ 0. The interval at level 1 − α, α = e^logAlpha, holds the
// values that are not rejected, within [Lo, Hi]. With rows as units Σ n_u² = N.
//
// Assumes: every reward in [Lo, Hi], units independent, rows of one unit in any
// dependence, laws in any difference. Valid at every N, for the mean of the
// rows' expectations, for arms fixed in advance, or with the action sequence
// held fixed. Statistic is mean − value; StdErr and DF are NaN. Special cases
// are:
//
//	N = 0: p = 1, interval [Lo, Hi], estimate NaN, with a warning
//	value outside [Lo, Hi], a mean outside it, Lo ≥ Hi, an infinite range, logAlpha > 0, NaN among them: p and interval are NaN, with a warning
func Hoeffding(m Bounded, value float64, alt Alternative, logAlpha float64) Result {
	t := m.test("Hoeffding test", hoeffdingAssumes)
	t.events, t.radius = 1, hoeffding(m.spread()*m.width()*m.width())
	return t.run(value, alt, logAlpha)
}

// spread returns Σ (n_u/N)².
func (m Bounded) spread() float64 { return m.Squares / float64(m.N) / float64(m.N) }

// HoeffdingDifference tests the difference of two arms' means, A − B, against a
// value as [Hoeffding] does. A unit's share of the difference lies in an
// interval of Δ_a·n_ua/N_a + Δ_b·n_ub/N_b, so
//
//	one-sided: p = exp(−2·d²/w)
//	w = Δ_a²·Σ n_ua²/N_a² + Δ_b²·Σ n_ub²/N_b² + 2·Δ_a·Δ_b·Σ n_ua·n_ub/(N_a·N_b)
//
// Assumes what Hoeffding does, for units of both arms together. Special cases
// are the same as in Hoeffding, with the differences that the ranges allow instead of the
// range; no rows in one arm count as none.
func HoeffdingDifference(p BoundedPair, value float64, alt Alternative, logAlpha float64) Result {
	t := p.test("Hoeffding test", hoeffdingAssumes)
	a, b := p.A.width(), p.B.width()
	t.events, t.radius = 1, hoeffding(float64(p.A.spread()*a*a)+float64(p.B.spread()*b*b)+
		float64(2*float64(a*b)*(p.Cross/float64(p.A.N)/float64(p.B.N))))
	return t.run(value, alt, logAlpha)
}

// hoeffding returns the radius for a sum of independent terms the squared
// widths of whose ranges sum to w.
func hoeffding(w float64) func(l float64) float64 {
	return func(l float64) float64 { return math.Sqrt(l/2) * math.Sqrt(w) }
}
