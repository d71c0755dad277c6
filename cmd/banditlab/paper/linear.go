package paper

import (
	"math"
	"math/rand/v2"

	"banditaudit/analyze/stat/dense"
)

// The contextual experiment has K = 5 arms with contexts of d = 5 coordinates.
const (
	linearArms = 5
	linearDim  = 5
)

type (
	vector [linearDim]float64
	matrix [linearDim][linearDim]float64
)

func (v *vector) dot(w *vector) float64 {
	sum := 0.0
	for i := range v {
		sum += float64(v[i] * w[i])
	}
	return sum
}

// times returns M·v.
func (m *matrix) times(v *vector) vector {
	var out vector
	for i := range m {
		for j := range v {
			out[i] += float64(m[i][j] * v[j])
		}
	}
	return out
}

// addOuter adds v·v'.
func (m *matrix) addOuter(v *vector) {
	for i := range v {
		for j := range v {
			m[i][j] += float64(v[i] * v[j])
		}
	}
}

// linearWorld is one run of the contextual experiment: rewards are
// N(θ_i'x_it, 1), θ_i has a first coordinate of 0 and length 1 and is drawn once,
// and contexts of length 1 are drawn for every arm in every round.
type linearWorld struct {
	rng *rand.Rand
	// first is what the first coordinate of every context is; NaN: uniform on the
	// sphere.
	first float64
	theta [linearArms]vector
	x     [linearArms]vector
}

func newLinearWorld(src rand.Source, first float64) *linearWorld {
	w := &linearWorld{rng: rand.New(src), first: first}
	for i := range w.theta {
		w.onSphere(w.theta[i][1:], 1)
	}
	return w
}

// onSphere draws a point of the sphere with this radius.
func (w *linearWorld) onSphere(dst []float64, radius float64) {
	sum := 0.0
	for i := range dst {
		dst[i] = w.rng.NormFloat64()
		sum += float64(dst[i] * dst[i])
	}
	scale := radius / math.Sqrt(sum)
	for i := range dst {
		dst[i] *= scale
	}
}

// round draws the contexts of a round.
func (w *linearWorld) round() {
	for i := range w.x {
		if math.IsNaN(w.first) {
			w.onSphere(w.x[i][:], 1)
			continue
		}
		w.x[i][0] = w.first
		w.onSphere(w.x[i][1:], math.Sqrt(1-float64(w.first*w.first)))
	}
}

func (w *linearWorld) reward(arm int) float64 {
	return w.theta[arm].dot(&w.x[arm]) + w.rng.NormFloat64()
}

// lost is what the arm's mean is below the best one in this round.
func (w *linearWorld) lost(arm int) float64 {
	best := math.Inf(-1)
	for i := range w.x {
		best = max(best, w.theta[i].dot(&w.x[i]))
	}
	return best - w.theta[arm].dot(&w.x[arm])
}

// gram is what least squares needs of an arm's rows.
type gram struct {
	n   int64
	xx  matrix
	xy  vector
	row [linearDim * linearDim]float64
}

func (g *gram) add(x *vector, y float64) {
	g.n++
	g.xx.addOuter(x)
	for i := range x {
		g.xy[i] += float64(x[i] * y)
	}
}

// first returns the estimate of the first coefficient and its variance with
// errors of variance 1, which is the first diagonal element of (X'X)⁻¹; false
// where the rows do not determine it.
func (g *gram) first() (estimate, variance float64, ok bool) {
	if g.n <= linearDim {
		return 0, 0, false
	}
	for i := range g.xx {
		copy(g.row[i*linearDim:], g.xx[i][:])
	}
	var right [linearDim * 2]float64 // X'y, and the first unit vector
	for i, v := range g.xy {
		right[2*i] = v
	}
	right[1] = 1
	if !dense.Solve(g.row[:], right[:], linearDim) {
		return 0, 0, false
	}
	return right[0], right[1], true
}

// byPulls returns the arm with the most rows, or with the fewest among those
// with at least least; ties to the lowest index, −1 for none.
func byPulls(arms *[linearArms]gram, most bool, least int64) int {
	best := -1
	for i := range arms {
		n := arms[i].n
		if n < least {
			continue
		}
		if best < 0 || most && n > arms[best].n || !most && n < arms[best].n {
			best = i
		}
	}
	return best
}
