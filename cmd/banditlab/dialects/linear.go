package dialects

import (
	"math"
	"math/rand/v2"
	"slices"
)

// linear is a ridge regression for each arm, whose matrix is inverted anew.
type linear struct {
	w      *world // of which it reads the context
	lambda float64
	rows   []float64
	a, inv [][][]float64 // λI + Σxx', and its inverse
	b      [][]float64

	alpha    float64 // LinUCB
	identity bool    // an arm without rewards has the inverse λI
	last     bool    // of equal indices
	noise    float64 // LinTS: standard deviation of a reward
}

func newLinear(w *world, lambda float64) *linear {
	l := &linear{w: w, lambda: lambda, rows: make([]float64, w.k)}
	for range w.k {
		l.a, l.inv, l.b = append(l.a, diagonal(len(w.x), lambda)), append(l.inv, diagonal(len(w.x), 1/lambda)), append(l.b, make([]float64, len(w.x)))
	}
	return l
}

func diagonal(d int, v float64) [][]float64 {
	m := make([][]float64, d)
	for i := range m {
		m[i] = make([]float64, d)
		m[i][i] = v
	}
	return m
}

func (l *linear) learn(e earned) {
	for i, x := range e.x {
		l.b[e.arm][i] += e.y * x
		for j := range e.x {
			l.a[e.arm][i][j] += x * e.x[j]
		}
	}
	l.rows[e.arm]++
	l.inv[e.arm] = inverse(l.a[e.arm])
}

// inverse is the inverse of a positive definite matrix, by Gauss and Jordan.
func inverse(a [][]float64) [][]float64 {
	d := len(a)
	m, out := make([][]float64, d), diagonal(d, 1)
	for i := range m {
		m[i] = slices.Clone(a[i])
	}
	for i := range m {
		by := m[i][i]
		for j := range m {
			m[i][j] /= by
			out[i][j] /= by
		}
		for r := range m {
			if times := m[r][i]; r != i {
				for j := range m {
					m[r][j] -= times * m[i][j]
					out[r][j] -= times * out[i][j]
				}
			}
		}
	}
	return out
}

// predict is the mean of an arm's reward, and the square of the length of x by the inverse.
func (l *linear) predict(arm int) (mean, square float64) {
	inv := l.inv[arm]
	if l.identity && l.rows[arm] == 0 {
		inv = diagonal(len(l.w.x), l.lambda)
	}
	for i, x := range l.w.x {
		mean += dot(inv[i], l.b[arm]) * x
		square += dot(inv[i], l.w.x) * x
	}
	return mean, square
}

func (l *linear) chances(int) []float64 {
	mean, sd := make([]float64, len(l.rows)), make([]float64, len(l.rows))
	for i := range mean {
		m, square := l.predict(i)
		mean[i], sd[i] = m+l.alpha*math.Sqrt(square), l.noise*math.Sqrt(square)
	}
	if l.noise > 0 {
		return bestNormal(mean, sd, false)
	}
	best := slices.Index(mean, slices.Max(mean))
	for i := range mean {
		if l.last && mean[i] == mean[best] {
			best = i
		}
	}
	return evenly(len(mean), []int{best})
}

// choose draws a parameter vector of each arm.
func (l *linear) choose(t int, r *rand.Rand) int {
	if l.noise == 0 {
		return pick(r, l.chances(t))
	}
	v := make([]float64, len(l.rows))
	for arm := range v {
		root, g := cholesky(l.inv[arm]), make([]float64, len(l.w.x))
		for j := range g {
			g[j] = l.noise * r.NormFloat64()
		}
		for j, x := range l.w.x {
			v[arm] += (dot(l.inv[arm][j], l.b[arm]) + dot(root[j], g)) * x
		}
	}
	return slices.Index(v, slices.Max(v))
}

// cholesky is L of A = LL'.
func cholesky(a [][]float64) [][]float64 {
	root := diagonal(len(a), 0)
	for i := range a {
		for j := range i + 1 {
			v := a[i][j] - dot(root[i][:j], root[j][:j])
			if root[i][j] = math.Sqrt(v); i != j {
				root[i][j] = v / root[j][j]
			}
		}
	}
	return root
}
