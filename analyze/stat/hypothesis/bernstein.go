package hypothesis

import "math"

const bernsteinAssumes = "Empirical Bernstein inequality: rewards within the declared range, of any law and not necessarily of one law, " +
	"in independent units (rows, or the declared unit); exact at every N, for the mean of the rows' expectations, " + fixedActions + "."

// Bernstein tests the mean of bounded rewards against a value by the empirical
// Bernstein inequality of Maurer & Pontil (2009, theorem 11,
// https://arxiv.org/abs/0907.3740), which gains on Hoeffding's where the
// rewards vary less than their range allows. With rows as units, Δ = Hi − Lo,
// but for a probability of δ
//
//	expectation − mean ≤ √(2·V·L/N) + 7·Δ·L/(3(N−1)),  L = ln(2/δ), V = M2/(N−1)
//
// and likewise above; p is the smallest δ at which value is not within it,
// doubled and at most 1 if two-sided. With G units the theorem is applied to
// S_u − n_u·μ, μ the expectation of the mean, whose ranges are at most Δ·max n_u
// wide; replacing μ by the mean in the sum of squares costs a share (own
// derivation, internally reviewed):
//
//	radius = (A·√M2 + C)/(1 − A·√Q)
//	A = √(2·L·G/(G−1))/N,  C = 7·Δ·max n_u·L·G/(3·N·(G−1)),  Q = Σ n_u² − N²/G
//
// infinite where A·√Q ≥ 1. The interval at level 1 − α, α = e^logAlpha, holds
// the values that are not rejected, within [Lo, Hi].
//
// Assumes what [Hoeffding] does. Statistic is mean − value; StdErr and DF are
// NaN. Special cases are the same as in Hoeffding, and
//
//	one unit: p = 1, interval [Lo, Hi], with a warning
func Bernstein(m Bounded, value float64, alt Alternative, logAlpha float64) Result {
	t := m.test("Bernstein test", bernsteinAssumes)
	t.needed, t.events, t.radius = 2, 2, m.bernsteinRadius
	return t.run(value, alt, logAlpha)
}

// bernsteinRadius is the one-sided radius at L = ln(2/δ).
func (m Bounded) bernsteinRadius(l float64) float64 {
	n, g := float64(m.N), float64(m.Units)
	ratio := g / (g - 1)
	a := math.Sqrt(2*l*ratio) / n
	c := 7.0 / 3 * m.width() * (float64(m.Largest) / n) * l * ratio
	uneven := max(0, m.Squares-float64(n*(n/g)))
	if m.rowsAreUnits() {
		c, uneven = 7.0/3*m.width()*l/(g-1), 0
	}
	left := 1 - float64(a*math.Sqrt(uneven))
	if !(left > 0) {
		return math.Inf(1)
	}
	return (float64(a*math.Sqrt(m.M2)) + c) / left
}

// BernsteinDifference tests the difference of two arms' means, A − B, against a
// value as [Bernstein] does. Where no unit owns two rows, three events of
// probability δ/3 are joined (own derivation, internally reviewed): Bernstein's
// inequality for the sum with the variances known, and theorem 10 of Maurer &
// Pontil for the standard deviation of each arm,
//
//	radius = √(2·L·(u_a²/N_a + u_b²/N_b)) + L/3·max(Δ_a/N_a, Δ_b/N_b)
//	u = √V + Δ·√(2·L/(N−1)),  L = ln(3/δ)
//
// Where units own several rows, or rows of both arms, the radii of the two arms
// at δ/2 are added, which holds however the arms depend on each other. Which of
// them is used follows from the counts alone.
//
// Assumes what [Hoeffding] does. Special cases are the same as in Bernstein; they hold if
// one arm meets them.
func BernsteinDifference(p BoundedPair, value float64, alt Alternative, logAlpha float64) Result {
	t := p.test("Bernstein test", bernsteinAssumes)
	t.needed, t.events, t.radius = 2, 3, p.jointRadius
	if !p.rowsAreUnits() {
		t.events = 4
		t.radius = func(l float64) float64 { return p.A.bernsteinRadius(l) + p.B.bernsteinRadius(l) }
	}
	return t.run(value, alt, logAlpha)
}

// jointRadius is the one-sided radius at L = ln(3/δ) where a row is a unit.
func (p BoundedPair) jointRadius(l float64) float64 {
	a, b := float64(p.A.N), float64(p.B.N)
	u, v := p.A.largestDeviation(l), p.B.largestDeviation(l)
	variance := float64(u*(u/a)) + float64(v*(v/b))
	return float64(math.Sqrt(2*l)*math.Sqrt(variance)) + float64(l/3*max(p.A.width()/a, p.B.width()/b))
}

// largestDeviation bounds the root of the rows' mean variance but for a
// probability of e^−L.
func (m Bounded) largestDeviation(l float64) float64 {
	df := float64(m.N - 1)
	return math.Sqrt(m.M2/df) + float64(m.width()*math.Sqrt(2*l/df))
}
