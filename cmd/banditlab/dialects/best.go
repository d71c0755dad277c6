package dialects

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// nodes are the nodes of a panel of Gauss–Legendre on [0, 1], and into[i][j] is the weight of
// node j in the integral from 0 to node i.
type nodes struct {
	x, w []float64
	into [][]float64
}

func legendre(n int) nodes {
	g := nodes{x: make([]float64, n), w: make([]float64, n)}
	quad.Legendre{}.FixedLocations(g.x, g.w, 0, 1)
	for _, end := range g.x {
		row := make([]float64, n)
		for j := range row { // the integral of Lagrange's polynomial j, which the rule has exactly
			for q := range n {
				v := g.w[q] * end
				for m := range n {
					if m != j {
						v *= (end*g.x[q] - g.x[m]) / (g.x[j] - g.x[m])
					}
				}
				row[j] += v
			}
		}
		g.into = append(g.into, row)
	}
	return g
}

// contest adds up the probability of each arm to be the largest of independent values,
// or with two half of that to be among the two largest, from the densities f and the
// distribution functions of all at a point.
func contest(p, f, below []float64, weight float64, two bool) {
	for i := range p {
		if f[i] == 0 {
			continue
		}
		q := except(below, i, i)
		if two {
			for j := range p {
				if j != i {
					q += (1 - below[j]) * except(below, i, j)
				}
			}
			q /= 2
		}
		p[i] += weight * f[i] * q
	}
}

func except(below []float64, i, j int) float64 {
	q := 1.0
	for l, v := range below {
		if l != i && l != j {
			q *= v
		}
	}
	return q
}

// panels are the panels of the angle of a Beta variable, θ = sin² of it, in [0, π/2].
const panels = 100

// betas keeps the density and the distribution function of Beta variables at the nodes of
// all panels.
type betas struct {
	g      nodes
	a, b   []float64
	ln     [][2]float64 // of the sine and of the cosine, by node
	f, cdf [][]float64  // by arm and node
}

func newBetas(k int) *betas {
	b := &betas{g: legendre(16), a: make([]float64, k), b: make([]float64, k), f: make([][]float64, k), cdf: make([][]float64, k)}
	for n := range panels {
		for _, x := range b.g.x {
			s, c := math.Sincos((float64(n) + x) * math.Pi / 2 / panels)
			b.ln = append(b.ln, [2]float64{math.Log(s), math.Log(c)})
		}
	}
	return b
}

// set has arm i follow Beta(a, b).
func (b *betas) set(i int, a, c float64) {
	if b.a[i] == a && b.b[i] == c {
		return
	}
	b.a[i], b.b[i] = a, c
	la, _ := math.Lgamma(a)
	lc, _ := math.Lgamma(c)
	lac, _ := math.Lgamma(a + c)
	f, cdf, h, before := make([]float64, len(b.ln)), make([]float64, len(b.ln)), math.Pi/2/panels, 0.0
	for q, at := range b.ln {
		f[q] = math.Exp(math.Ln2 + lac - la - lc + (2*a-1)*at[0] + (2*c-1)*at[1])
	}
	n := len(b.g.x)
	for from := 0; from < len(f); from += n {
		panel := f[from : from+n]
		for q := range panel {
			cdf[from+q] = min(1, before+h*dot(b.g.into[q], panel))
		}
		before += h * dot(b.g.w, panel)
	}
	b.f[i], b.cdf[i] = f, cdf
}

func (b *betas) best(two bool) []float64 {
	k := len(b.f)
	p, f, below := make([]float64, k), make([]float64, k), make([]float64, k)
	for q := range b.ln {
		for i := range f {
			f[i], below[i] = b.f[i][q], b.cdf[i][q]
		}
		contest(p, f, below, b.g.w[q%len(b.g.x)]*math.Pi/2/panels, two)
	}
	return whole(p)
}

// bestNormal is the best of normal variables, by panels between points that lie about the
// mean of each.
func bestNormal(mean, sd []float64, two bool) []float64 {
	g := legendre(12)
	var cuts []float64
	for i := range mean {
		for _, c := range []float64{-9, -6, -4, -2.5, -1.2, 0, 1.2, 2.5, 4, 6, 9} {
			cuts = append(cuts, mean[i]+c*sd[i])
		}
	}
	slices.Sort(cuts)
	k := len(mean)
	p, f, below := make([]float64, k), make([]float64, k), make([]float64, k)
	for n := range len(cuts) - 1 {
		h := cuts[n+1] - cuts[n]
		for q, x := range g.x {
			for i := range f {
				z := (cuts[n] + h*x - mean[i]) / sd[i]
				f[i] = math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / sd[i]
				below[i] = math.Erfc(-z/math.Sqrt2) / 2
			}
			contest(p, f, below, h*g.w[q], two)
		}
	}
	return whole(p)
}

// whole divides by the sum.
func whole(p []float64) []float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
