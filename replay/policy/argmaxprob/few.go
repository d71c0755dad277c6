package argmaxprob

import "math"

// mostDegree is the degree of a product of distribution functions up to which the points of
// fewRows integrate it.
const mostDegree = 2*parts*abscissas - 1

// parts of the points of a rule, as many in each as in a panel.
const parts = 3

// fewRows is how Beta laws of few rows are integrated: for whole a and b density and distribution
// function are polynomials in θ,
//
//	f(θ) = a·C(n−1, a)·θ^{a−1}·(1−θ)^{b−1},   F(θ) = Σ_{j=a}^{n−1} C(n−1, j)·θ^j·(1−θ)^{n−1−j},   n = a + b,
//
// and Gauss–Legendre points on (0, 1) integrate f_i·Π F_j, of degree Σ(n_j − 1) − 1, exactly but
// for rounding.
type fewRows [parts]place

// degree returns the degree of the distribution function of Beta(a, b), +Inf where it is no
// polynomial.
func degree(a, b float64) float64 {
	if a != math.Floor(a) || b != math.Floor(b) {
		return math.Inf(1)
	}
	return a + b - 1
}

// powers holds the powers of the points of a part, and of 1 less the points, and their weights.
type powers struct {
	x, y [mostDegree + 1]panel
	w    panel
}

// unit is the Gauss–Legendre rule with 36 points on (0, 1).
var unit = newUnit() //nolint:gochecknoglobals // a constant table

// newUnit returns the powers of the points. Halves of the table: Python 3.11, mpmath 1.3.0, 40
// digits, as the tables of newGauss, by legendre(36, x).
func newUnit() *[parts]powers {
	const half = parts * pairs
	z := [half]float64{
		0.04301819847370861, 0.1287361038093848, 0.2135008923168656, 0.29668499534402826, 0.37767254711968923, 0.45586394443342027,
		0.5306802859262452, 0.6015676581359806, 0.668001236585521, 0.7294891715935565, 0.7855762301322066, 0.8358471669924753,
		0.8799298008903972, 0.9174977745156591, 0.9482729843995076, 0.972027691049698, 0.9885864789022122, 0.9978304624840858,
	}
	w := [half]float64{
		0.08598327567039475, 0.08534668573933862, 0.08407821897966193, 0.0821872667043397, 0.0796878289120716, 0.07659841064587067,
		0.07294188500565306, 0.06874532383573645, 0.06403979735501548, 0.05886014424532482, 0.05324471397775992, 0.04723508349026598,
		0.04087575092364489, 0.03421381077030723, 0.02729862149856878, 0.020181515297735472, 0.012915947284065574, 0.0055657196642450455,
	}
	var out [parts]powers
	for i := range 2 * half {
		k, sign := i-half, 1.0
		if i < half {
			k, sign = half-1-i, -1
		}
		p, at := &out[i/abscissas], i%abscissas
		p.w[at] = 0.5 * w[k]
		x, y := 0.5+float64(0.5*float64(sign*z[k])), 0.5-float64(0.5*float64(sign*z[k]))
		p.x[0][at], p.y[0][at] = 1, 1
		for d := range mostDegree {
			p.x[d+1][at], p.y[d+1][at] = float64(p.x[d][at]*x), float64(p.y[d][at]*y)
		}
	}
	return &out
}

// shape writes what Beta(a, b) is at the points, by the sum of fewer terms.
func (p *powers) shape(a, b int, s *shape) {
	top, c, from, to := a+b-1, 1.0, 0, a // C(top, j), and F or 1 − F are a sum from j on
	for j := range a {
		c = float64(c*float64(top-j)) / float64(j+1)
	}
	peak := float64(float64(a) * c)
	if b <= a {
		from, to = a, top+1
	} else {
		c = 1
	}
	clear(s.below[:])
	for j := from; j < to; j++ {
		x, y := &p.x[j], &p.y[top-j]
		for k := range x {
			s.below[k] += float64(c * float64(x[k]*y[k]))
		}
		c = float64(c*float64(top-j)) / float64(j+1)
	}
	x, y := &p.x[a-1], &p.y[b-1]
	for k := range x {
		s.f[k] = float64(peak * float64(x[k]*y[k]))
		if b > a {
			s.below[k] = max(0, 1-s.below[k])
		}
	}
}
