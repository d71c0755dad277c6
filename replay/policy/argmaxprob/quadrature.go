package argmaxprob

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// laws are K independent continuous laws on one line, as a quadrature sees them. Where its
// panels lie depends on rounded laws, which are near the laws and stand still while these move
// a little; what is integrated does not.
type laws interface {
	// top returns a point above which arm has less than about 10⁻¹¹ of its mass, bottom one
	// below which it has as little; both by the rounded law.
	top(arm int) float64
	bottom(arm int) float64
	// below returns how far down a panel may reach whose upper end is u, for rounded arms.
	below(arms []int, u float64) float64
	// enter prepares a panel, of which low, centre and half are known.
	enter(x *panel, p *place)
	// density writes half times the density of arm at the panel's abscissas.
	density(arm int, p *place, dst *panel)
}

// negligible is the mass that a quadrature may leave out.
const negligible = 2e-11

const widest = 3.8 // of a panel, in 1/√(curvature of ln f)

// narrow returns how wide a panel may be for the given number of arms, likewise: the
// largest of many scatters less than one.
func narrow(arms int) float64 { return max(1.2, widest-float64(0.5*bitexact.Ln(float64(arms)))) }

// quadrature computes the probabilities that one of K independent variables with
// densities f_i and distribution functions F_i is the largest,
//
//	P_i = ∫ f_i·Π_{j≠i} F_j,
//
// for all i on one set of points: Gauss–Legendre panels that follow each other
// downwards from the largest top of an arm. F_j = 1 − ∫ f_j comes out of the
// same points, by integrating the polynomial through them, so that nothing but
// densities is evaluated. A panel is as wide as the narrowest law that has mass
// there allows. What lies below a point adds exactly Π F_j to Σ P_i, so the
// panels end where that is negligible, at the highest bottom of an arm at the
// latest, and 1 − Σ P_i shows the error.
//
// The error of F_j is ε_j(x_k) = c_n·P_{n−1}(x_k)/(n+1) to first order, c_n the coefficient
// of f_j at the Legendre polynomial P_n, n points in a panel, and 0 at its ends. It enters
// P_i as Σ_k w_k·g(x_k)·ε_j(x_k), g = f_i·Π_{l≠i,j} F_l: that is c_n times the coefficient of
// g at P_{n−1}, and so of the order of the error of the rule itself, which has degree 2n.
// How wide panels are was set by search: of K = 2 to 200 laws, climbing towards those whose
// probabilities are worst, none was off by more than 0.28 of 10⁻⁹ + 10⁻⁷·p.
//
// It keeps the panels, and of every arm the densities there, from call to call: where the
// rounded laws are the same as in the call before, only what is new of a law is computed
// again. The result does not depend on what was kept. It is not safe for concurrent use.
type quadrature struct {
	Two bool // what is asked for is half the probability that a variable is among the largest two

	version []int // of the law of each arm; whoever changes a law raises it
	moved   bool  // a rounded law has changed
	arms    []int // of the panels
	out     int   // arm without the lower panels; −1: none
	ends    [2]float64
	u       float64
	places  []place
	before  []panel   // Π F_j over the arms before one
	oneOf   []panel   // and the probability that one of them is above, no other
	cdf     []float64 // F_i at the lower end of the panel
	line    []int     // arms that are no points
	rest    []int     // and the arms of the lower panels
}

// place is a panel, (centre − half, centre + half).
type place struct {
	low, centre, half float64
	win, lose         float64 // what laws note of the centre
	d, lift           panel   // and of the abscissas
	over              bool    // one variable beside the arms' lies above for certain
	arms              []int   // that have begun: laws that lie wholly below have F = 1
	of                []shape
}

// shape is what an arm is in a panel.
type shape struct {
	version  int     // of the law; 0: of none
	low      float64 // F at the lower end
	f, below panel   // half·f and F at the abscissas
}

// fresh says that nothing is known of the arms.
func (p *place) fresh() {
	p.of = slices.Grow(p.of[:0], len(p.arms))[:len(p.arms)]
	for i := range p.of {
		p.of[i].version = 0
	}
}

func newQuadrature(k int) *quadrature {
	w := &quadrature{version: make([]int, k), before: make([]panel, k), oneOf: make([]panel, k), cdf: make([]float64, k)}
	for i := range w.version {
		w.version[i] = 1
	}
	return w
}

// best writes what is asked for of every arm of a list. A law whose top is not above its
// bottom is a point; of equal points the first counts as the largest. It returns what the
// probabilities and the part that is left out add up to: 1, or 2 of the largest two, but for
// the error.
func (w *quadrature) best(l laws, arms []int, dst []float64) (sum float64) {
	clear(dst)
	w.line = w.line[:0]
	point, largest, end, top := -1, math.Inf(-1), math.Inf(-1), math.Inf(-1)
	for _, i := range arms {
		low, high := l.bottom(i), l.top(i)
		if low < high {
			w.line = append(w.line, i)
			top = max(top, high)
		} else if point < 0 || low > largest {
			point, largest = i, low
		}
		end = max(end, low)
	}
	var left float64
	if w.Two && len(arms) > 1 {
		left = w.bestTwo(l, arms, top, dst)
	} else if left = w.above(l, top, end, dst); point >= 0 {
		dst[point], left = left, 0
	}
	return left + scale(dst)
}

// above adds, to dst[i] for arms of the line, ∫ from end to ∞ of f_i·Π_{j≠i} F_j, and
// returns Π F_j at end, or at a higher point where it is negligible.
func (w *quadrature) above(l laws, top, end float64, dst []float64) float64 {
	w.begin(top, -1, [2]float64{end, end})
	left := 1.0
	for n := 0; left > negligible; n++ {
		if n == len(w.places) {
			if !(w.u > end) {
				break
			}
			w.extend(l, w.arms, end)
		}
		left = w.add(l, &w.places[n], &rule.w, dst)
	}
	return left
}

// bestTwo adds to dst the probabilities that a variable is among the largest two,
//
//	∫ f_i·(Π_{j≠i} F_j + Σ_{j≠i} (1 − F_j)·Π_{k≠i,j} F_k),
//
// on panels that go down to where the arm with the highest bottom, first, has no mass below,
// and from there, where it lies above for certain, without it and by f_i·Π_{j≠i,first} F_j to
// where the next, second, has none. Below a point lie 2·Π F_j + Σ_j (1 − F_j)·Π_{k≠j} F_k of
// the two, which is returned of the last.
func (w *quadrature) bestTwo(l laws, arms []int, top float64, dst []float64) (left float64) {
	first, second := -1, -1
	for _, i := range arms {
		switch low := l.bottom(i); {
		case first < 0 || low > l.bottom(first):
			first, second = i, first
		case second < 0 || low > l.bottom(second):
			second = i
		}
	}
	if len(arms) == 2 {
		dst[first], dst[second] = 1, 1
		return 0
	}
	w.rest = w.rest[:0]
	for _, i := range w.line {
		if i != first {
			w.rest = append(w.rest, i)
		}
	}
	w.begin(top, first, [2]float64{l.bottom(first), l.bottom(second)})
	n, none, one := w.down(l, 0, false, dst)
	if left = 2*none + one; left <= 2*negligible {
		return left
	}
	if !(l.bottom(first) < l.top(first)) {
		dst[first] = none + one
	}
	one = 1
	for _, i := range w.rest {
		one *= w.cdf[i]
	}
	if len(w.rest) > 0 && (n < len(w.places) || w.u > w.ends[1]) {
		_, _, one = w.down(l, n, true, dst)
	}
	if l.bottom(second) < l.top(second) {
		return one
	}
	dst[second] = one
	return 0
}

// down adds the panels from number n on of those that one variable is over, or of the others.
// It returns the number of the next, and with which probabilities none and one of the variables
// lie above the last.
func (w *quadrature) down(l laws, n int, over bool, dst []float64) (next int, none, one float64) {
	arms, end := w.arms, w.ends[0]
	if none = 1; over {
		arms, end, none, one = w.rest, w.ends[1], 0, 1
	}
	for ; 2*none+one > 2*negligible; n++ {
		if n == len(w.places) {
			if !(w.u > end) {
				break
			}
			w.extend(l, arms, end)
			w.places[n].over = over
		}
		p := &w.places[n]
		if p.over != over {
			break
		}
		none, one = w.addTwo(l, p, &rule.w, dst)
	}
	return n, none, one
}

// begin keeps the panels if they are of the arms of the line and of these ends, and forgets
// them otherwise.
func (w *quadrature) begin(top float64, out int, ends [2]float64) {
	for _, i := range w.line {
		w.cdf[i] = 1
	}
	if w.moved || ends != w.ends || out != w.out || !slices.Equal(w.line, w.arms) {
		w.moved, w.arms, w.out, w.ends, w.u, w.places = false, append(w.arms[:0], w.line...), out, ends, top, w.places[:0]
	}
}

// extend adds the panel below those that are there.
func (w *quadrature) extend(l laws, arms []int, end float64) {
	next := max(end, l.below(arms, w.u))
	if next >= w.u { // narrower than the numbers are dense
		next = math.Nextafter(w.u, math.Inf(-1))
	}
	n := len(w.places)
	w.places = slices.Grow(w.places, 1)[:n+1]
	p := &w.places[n]
	p.low, p.half, p.over = next, float64(0.5*(w.u-next)), false
	p.centre = next + p.half
	p.arms = p.arms[:0]
	for _, i := range arms {
		if l.top(i) > next {
			p.arms = append(p.arms, i)
		}
	}
	p.fresh()
	l.enter(&rule.x, p)
	w.u = next
}

// shape computes what arm number n of a panel is in it.
func (w *quadrature) shape(l laws, p *place, n int) {
	s, arm := &p.of[n], p.arms[n]
	l.density(arm, p, &s.f)
	s.low = rule.integrate(&s.f, w.cdf[arm], &s.below)
	s.version = w.version[arm]
}

// add adds one panel, and returns Π F_j at its lower end.
func (w *quadrature) add(l laws, p *place, weights *panel, dst []float64) float64 {
	left := 1.0
	var product panel
	for k := range product {
		product[k] = 1
	}
	for n, arm := range p.arms {
		s := &p.of[n]
		if s.version != w.version[arm] {
			w.shape(l, p, n)
		}
		w.cdf[arm] = s.low
		left *= s.low
		w.before[n] = product
		for k, v := range &s.below {
			product[k] *= v
		}
	}
	after := *weights
	for n := len(p.arms) - 1; n >= 0; n-- {
		s, before := &p.of[n], &w.before[n]
		sum := 0.0
		for k := range after {
			sum += float64(float64(s.f[k]*before[k]) * after[k])
			after[k] *= s.below[k]
		}
		dst[p.arms[n]] += sum
	}
	return left
}

// addTwo is add for the largest two, and returns with which probabilities none and one of the
// variables lie above the lower end.
func (w *quadrature) addTwo(l laws, p *place, weights *panel, dst []float64) (noneLeft, oneLeft float64) {
	var none, one panel
	noneLeft = 1
	if p.over {
		noneLeft, oneLeft = 0, 1
	}
	for k := range none {
		none[k], one[k] = noneLeft, oneLeft
	}
	for n, arm := range p.arms {
		s := &p.of[n]
		if s.version != w.version[arm] {
			w.shape(l, p, n)
		}
		w.cdf[arm] = s.low
		w.before[n], w.oneOf[n] = none, one
		oneLeft = float64(oneLeft*s.low) + float64(noneLeft*(1-s.low))
		noneLeft *= s.low
		another(&none, &one, s)
	}
	none, one = *weights, panel{}
	for n := len(p.arms) - 1; n >= 0; n-- {
		s, before, oneOf := &p.of[n], &w.before[n], &w.oneOf[n]
		sum := 0.0
		for k, f := range &s.f {
			sum += float64(f * (float64(before[k]*(none[k]+one[k])) + float64(oneOf[k]*none[k])))
		}
		dst[p.arms[n]] += sum
		another(&none, &one, s)
	}
	return noneLeft, oneLeft
}

// another takes another variable into the probabilities that none and one lie above.
func another(none, one *panel, s *shape) {
	for k, v := range &s.below {
		one[k] = float64(one[k]*v) + float64(none[k]*(1-v))
		none[k] *= v
	}
}

// integrate writes F at the abscissas of a panel with half times the density in
// f and F = end at its upper end, and returns F at its lower end; none is below
// 0.
func (g *gauss) integrate(f *panel, end float64, dst *panel) float64 {
	var e, o [pairs]float64
	for m := range e {
		up, down := f[pairs+m], f[pairs-1-m]
		e[m], o[m] = up+down, up-down
	}
	low := end - dot(&e, (*[pairs]float64)(g.w[pairs:]))
	for k := range e {
		even, odd := dot(&e, &g.even[k]), dot(&o, &g.odd[k])
		dst[pairs+k] = max(0, end-(odd+even))
		dst[pairs-1-k] = max(0, low-(odd-even))
	}
	return max(0, low)
}

// dot returns the inner product.
func dot(a, b *[pairs]float64) float64 {
	x := float64(a[0]*b[0]) + float64(a[2]*b[2]) + float64(a[4]*b[4])
	return x + (float64(a[1]*b[1]) + float64(a[3]*b[3]) + float64(a[5]*b[5]))
}
