package argmaxprob

// abscissas is the number of points of one panel of a quadrature.
const abscissas = 12

// pairs is the number of pairs ±x of abscissas.
const pairs = abscissas / 2

// panel holds one value for each abscissa of a panel.
type panel [abscissas]float64

// gauss is the Gauss–Legendre rule with 12 points on [−1, 1], x[5−m] = −x[6+m],
//
//	∫ f = Σ_k w[k]·f(x[k])      exact for polynomials of degree 23
//
// (Abramowitz and Stegun 1964, 25.4.30), and with e_m and o_m the sum and the
// difference of f at x[6+m] and x[5−m]
//
//	∫ from ±x[6+k] to 1 of f = (1/2 ∓ 1/2)·∫ f ± Σ_m even[k][m]·e_m + Σ_m odd[k][m]·o_m
//
// exact for degree 11: the integral of the even part of f from x to 1 is what the integral
// from −x to 1 lacks of the whole, and the integral of the odd part is the same for both.
type gauss struct {
	x, w      panel
	even, odd [pairs][pairs]float64
}

// rule is the only one.
var rule = newGauss() //nolint:gochecknoglobals // a constant table

// newGauss returns the rule. The interpolating polynomial of f is
// Σ_d c_d·P_d with c_d = (2d+1)/2·Σ_m w[m]·P_d(x[m])·f(x[m]), and
//
//	∫ from x to 1 of P_d = (P_{d−1}(x) − P_{d+1}(x))/(2d+1),   1 − x for d = 0.
func newGauss() *gauss {
	// Halves of the table: Python 3.11, mpmath 1.3.0, 40 digits:
	// [float(x) for x in mp.polyroots(taylor(lambda x: legendre(12, x), 0, 12)[::-1])],
	// and 2/((1-x*x)*diff(lambda y: legendre(12, y), x)**2).
	x := [pairs]float64{0.1252334085114689, 0.3678314989981802, 0.5873179542866175, 0.7699026741943047, 0.9041172563704749, 0.9815606342467192}
	w := [pairs]float64{0.24914704581340277, 0.2334925365383548, 0.20316742672306592, 0.16007832854334622, 0.10693932599531843, 0.04717533638651183}
	g := &gauss{}
	for i := range x {
		lo, hi := pairs-1-i, pairs+i
		g.x[lo], g.x[hi], g.w[lo], g.w[hi] = -x[i], x[i], w[i], w[i]
	}
	for k := range pairs {
		at := legendre(x[k])
		for m := range pairs {
			from := legendre(x[m])
			var part [2]float64 // of even and of odd degrees
			part[0] = 1 - x[k]
			for d := 1; d < abscissas; d++ {
				part[d%2] += float64(from[d] * (at[d-1] - at[d+1]))
			}
			g.even[k][m], g.odd[k][m] = float64(0.5*w[m])*part[0], float64(0.5*w[m])*part[1]
		}
	}
	return g
}

// legendre returns P_0(x), …, P_abscissas(x) by their recurrence.
func legendre(x float64) [abscissas + 1]float64 {
	p := [abscissas + 1]float64{1, x}
	for d := 1; d < abscissas; d++ {
		n := float64(d)
		p[d+1] = (float64(float64((2*n+1)*x)*p[d]) - float64(n*p[d-1])) / (n + 1)
	}
	return p
}
