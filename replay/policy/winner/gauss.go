package winner

// abscissas is the number of points of one panel of a quadrature.
const abscissas = 10

// panel holds one value for each abscissa of a panel.
type panel [abscissas]float64

// gauss is the Gauss–Legendre rule with 10 points on [−1, 1]
//
//	∫ f = Σ_k w[k]·f(x[k])                exact for polynomials of degree 19
//	∫ from x[k] to 1 of f = Σ_m above[k][m]·f(x[m])      exact for degree 9
//
// (Abramowitz and Stegun 1964, 25.4.30).
type gauss struct {
	x, w  panel
	above [abscissas]panel
}

// newGauss returns the rule. The interpolating polynomial of f is
// Σ_d c_d·P_d with c_d = (2d+1)/2·Σ_m w[m]·P_d(x[m])·f(x[m]), and
//
//	∫ from x to 1 of P_d = (P_{d−1}(x) − P_{d+1}(x))/(2d+1),   1 − x for d = 0.
func newGauss() *gauss {
	// Halves of the table: Python 3.11, mpmath 1.3.0, 40 digits:
	// [float(x) for x in mp.polyroots(taylor(lambda x: legendre(10, x), 0, 10)[::-1])],
	// and 2/((1-x*x)*diff(lambda y: legendre(10, y), x)**2).
	x := [abscissas / 2]float64{0.14887433898163122, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717}
	w := [abscissas / 2]float64{0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.1494513491505806, 0.06667134430868814}
	g := &gauss{}
	for i := range x {
		lo, hi := abscissas/2-1-i, abscissas/2+i
		g.x[lo], g.x[hi], g.w[lo], g.w[hi] = -x[i], x[i], w[i], w[i]
	}
	var p [abscissas]([abscissas + 1]float64)
	for k := range p {
		p[k] = legendre(g.x[k])
	}
	for k := range g.above {
		for m := range g.above[k] {
			sum := 0.5 * (1 - g.x[k])
			for d := 1; d < abscissas; d++ {
				sum += float64(0.5 * float64(p[m][d]*(p[k][d-1]-p[k][d+1])))
			}
			g.above[k][m] = float64(g.w[m] * sum)
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
