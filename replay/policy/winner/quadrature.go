package winner

import (
	"math"
	"slices"
)

// laws are K independent continuous laws on one line, as a quadrature sees
// them.
type laws interface {
	// top returns a point above which arm has less than about 10⁻¹² of its mass.
	top(arm int) float64
	// bottom returns a point below which arm has as little.
	bottom(arm int) float64
	// below returns how far down a panel may reach whose upper end is u, for arms.
	below(arms []int, u float64) float64
	// enter prepares the panel (centre − half, centre + half).
	enter(x *panel, centre, half float64)
	// density writes half times the density of arm at the panel's abscissas.
	density(arm int, dst *panel)
}

// negligible is the mass that a quadrature may leave out.
const negligible = 1e-12

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
// panels end where that is below 10⁻¹², at the highest bottom of an arm at the
// latest, and 1 − Σ P_i shows the error.
//
// It keeps what it needs from call to call and is not safe for concurrent use.
type quadrature struct {
	rule     *gauss
	f, below []panel   // of an arm: half·f_i and F_i at the abscissas
	before   []panel   // Π F_j over the arms before i
	cdf      []float64 // F_i at the lower end of the panel
}

func newQuadrature(k int) *quadrature {
	return &quadrature{
		rule: newGauss(), f: make([]panel, k), below: make([]panel, k), before: make([]panel, k), cdf: make([]float64, k),
	}
}

// above adds, to dst[i] for i in arms, ∫ from end to ∞ of f_i·Π_{j≠i} F_j, and
// returns Π F_j at end, or at a higher point where it is negligible. end may be
// −Inf.
func (w *quadrature) above(l laws, arms []int, end float64, dst []float64) float64 {
	u := math.Inf(-1)
	for _, i := range arms {
		w.cdf[i] = 1
		u, end = max(u, l.top(i)), max(end, l.bottom(i))
	}
	left := 1.0
	for u > end && left > negligible {
		next := max(end, l.below(arms, u))
		if next >= u { // narrower than the numbers are dense
			next = math.Nextafter(u, math.Inf(-1))
		}
		half := float64(0.5 * (u - next))
		l.enter(&w.rule.x, next+half, half)
		left = w.add(l, arms, next, dst)
		u = next
	}
	return left
}

// add adds one panel that ends at low, and returns Π F_j there. Laws that lie
// wholly below it have F = 1.
func (w *quadrature) add(l laws, arms []int, low float64, dst []float64) float64 {
	left := 1.0
	var product panel
	for k := range product {
		product[k] = 1
	}
	for _, i := range arms {
		if l.top(i) <= low {
			continue
		}
		f, below := &w.f[i], &w.below[i]
		l.density(i, f)
		w.cdf[i] = w.rule.integrate(f, w.cdf[i], below)
		left *= w.cdf[i]
		w.before[i] = product
		for k, v := range below {
			product[k] *= v
		}
	}
	after := w.rule.w
	for _, i := range slices.Backward(arms) {
		if l.top(i) <= low {
			continue
		}
		f, below, before := &w.f[i], &w.below[i], &w.before[i]
		sum := 0.0
		for k := range after {
			sum += float64(float64(f[k]*before[k]) * after[k])
			after[k] *= below[k]
		}
		dst[i] += sum
	}
	return left
}

// integrate writes F at the abscissas of a panel with half times the density in
// f and F = end at its upper end, and returns F at its lower end; none is below
// 0.
func (g *gauss) integrate(f *panel, end float64, dst *panel) float64 {
	for k := range dst {
		a := &g.above[k]
		even := float64(f[0]*a[0]) + float64(f[2]*a[2]) + float64(f[4]*a[4]) + float64(f[6]*a[6]) + float64(f[8]*a[8])
		odd := float64(f[1]*a[1]) + float64(f[3]*a[3]) + float64(f[5]*a[5]) + float64(f[7]*a[7]) + float64(f[9]*a[9])
		dst[k] = max(0, end-(even+odd))
	}
	sum := 0.0
	for k, v := range f {
		sum += float64(g.w[k] * v)
	}
	return max(0, end-sum)
}
