package winner

import (
	"math"
	"slices"

	"banditaudit/replay/policy/scalar"
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

// narrow returns how wide a panel may be for so many arms, likewise: the largest of many
// scatters less than one.
func narrow(arms int) float64 { return max(1.2, widest-float64(0.5*scalar.Ln(float64(arms)))) }

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
// g at P_{n−1}, and so of the order of the error of the rule itself, that of degree 2n. How
// wide panels are was set by search: of K = 2 to 200 laws, climbing towards those whose
// probabilities are worst, none was off by more than 0.28 of 10⁻⁹ + 10⁻⁷·p.
//
// It keeps the panels, and of every arm the densities there, from call to call: where the
// rounded laws are those of the call before, only what is new of a law is computed again. The
// result does not depend on what was kept. It is not safe for concurrent use.
type quadrature struct {
	version []int // of the law of each arm; whoever changes a law raises it
	moved   bool  // a rounded law has changed
	arms    []int // of the panels
	u, end  float64
	places  []place
	before  []panel   // Π F_j over the arms before one
	cdf     []float64 // F_i at the lower end of the panel
}

// place is a panel, (centre − half, centre + half).
type place struct {
	low, centre, half float64
	win, lose         float64 // what laws note of the centre
	d, lift           panel   // and of the abscissas
	arms              []int   // that have begun: laws that lie wholly below have F = 1
	of                []shape
}

// shape is what an arm is in a panel.
type shape struct {
	version  int     // of the law; 0: of none
	low      float64 // F at the lower end
	f, below panel   // half·f and F at the abscissas
}

func newQuadrature(k int) *quadrature {
	w := &quadrature{version: make([]int, k), before: make([]panel, k), cdf: make([]float64, k)}
	for i := range w.version {
		w.version[i] = 1
	}
	return w
}

// above adds, to dst[i] for i in arms, ∫ from end to ∞ of f_i·Π_{j≠i} F_j, and
// returns Π F_j at end, or at a higher point where it is negligible. end may be
// −Inf.
func (w *quadrature) above(l laws, arms []int, end float64, dst []float64) float64 {
	top := math.Inf(-1)
	for _, i := range arms {
		w.cdf[i] = 1
		top, end = max(top, l.top(i)), max(end, l.bottom(i))
	}
	if w.moved || end != w.end || !slices.Equal(arms, w.arms) {
		w.moved, w.arms, w.u, w.end, w.places = false, append(w.arms[:0], arms...), top, end, w.places[:0]
	}
	left := 1.0
	for n := 0; left > negligible; n++ {
		if n == len(w.places) {
			if !(w.u > end) {
				break
			}
			w.extend(l)
		}
		left = w.add(l, &w.places[n], dst)
	}
	return left
}

// extend adds the panel below those that are there.
func (w *quadrature) extend(l laws) {
	next := max(w.end, l.below(w.arms, w.u))
	if next >= w.u { // narrower than the numbers are dense
		next = math.Nextafter(w.u, math.Inf(-1))
	}
	n := len(w.places)
	w.places = slices.Grow(w.places, 1)[:n+1]
	p := &w.places[n]
	p.low, p.half = next, float64(0.5*(w.u-next))
	p.centre = next + p.half
	p.arms, p.of = p.arms[:0], p.of[:0]
	for _, i := range w.arms {
		if l.top(i) > next {
			p.arms = append(p.arms, i)
		}
	}
	p.of = slices.Grow(p.of, len(p.arms))[:len(p.arms)]
	for i := range p.of {
		p.of[i].version = 0
	}
	l.enter(&rule.x, p)
	w.u = next
}

// add adds one panel, and returns Π F_j at its lower end.
func (w *quadrature) add(l laws, p *place, dst []float64) float64 {
	left := 1.0
	var product panel
	for k := range product {
		product[k] = 1
	}
	for n, arm := range p.arms {
		s := &p.of[n]
		if s.version != w.version[arm] {
			l.density(arm, p, &s.f)
			s.low = rule.integrate(&s.f, w.cdf[arm], &s.below)
			s.version = w.version[arm]
		}
		w.cdf[arm] = s.low
		left *= s.low
		w.before[n] = product
		for k, v := range &s.below {
			product[k] *= v
		}
	}
	after := rule.w
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
