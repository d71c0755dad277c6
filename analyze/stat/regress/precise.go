package regress

import "math"

// precise accumulates sums and products of rows about a fixed center in double
// precision twice over: of the covariates, and of the response last.
type precise struct {
	n      int64
	center []float64
	sum    []double
	prod   []double // lower triangle, row by row
	row    []double
}

func newPrecise(m *means) *precise {
	v := len(m.shift)
	p := &precise{center: make([]float64, v), sum: make([]double, v), prod: make([]double, v*(v+1)/2), row: make([]double, v)}
	for i := range v {
		p.center[i] = m.shift[i] + m.offset[i]
	}
	return p
}

func (p *precise) add(x [][]float64, y []float64, pick []int32) {
	last := len(p.center) - 1
	for _, t := range pick {
		for j, col := range x {
			p.row[j] = sumOf(col[t], -p.center[j])
		}
		p.row[last] = sumOf(y[t], -p.center[last])
		k := 0
		for i, a := range p.row {
			p.sum[i] = p.sum[i].plus(a)
			for _, b := range p.row[:i+1] {
				p.prod[k] = p.prod[k].plus(a.times(b))
				k++
			}
		}
	}
	p.n += int64(len(pick))
}

// merge joins rows about the same center.
func (p *precise) merge(o *precise) {
	p.n += o.n
	for i, v := range o.sum {
		p.sum[i] = p.sum[i].plus(v)
	}
	for i, v := range o.prod {
		p.prod[i] = p.prod[i].plus(v)
	}
}

// gram is the sums and products of the columns of a design about a reference,
// and of the response last.
type gram struct {
	n    float64
	ref  []float64
	sum  []double
	prod []double  // lower triangle, row by row
	size []float64 // Σ of squares of the values as given, which were rounded
}

func newGram(columns int) *gram {
	v := columns + 1
	return &gram{ref: make([]float64, v), sum: make([]double, v), prod: make([]double, v*(v+1)/2), size: make([]float64, v)}
}

// add joins rows whose columns are v_i = x_from[i] − value[i], and the constant
// value[i] where from[i] < 0.
func (g *gram) add(p *precise, from []int, value []float64) {
	if p.n == 0 {
		return
	}
	last := len(p.center) - 1
	from, value = append(append([]int(nil), from...), last), append(append([]float64(nil), value...), 0)
	n := double{hi: float64(p.n)}
	var active []int // columns that are not all 0 here
	at := make([]double, len(from))
	for i, j := range from {
		switch {
		case j >= 0:
			if g.n == 0 && value[i] == 0 {
				g.ref[i] = p.center[j]
			}
			at[i] = sumOf(p.center[j], -value[i]).plus(double{hi: -g.ref[i]})
			g.size[i] += p.square(j)
		case value[i] == 0:
			continue
		default:
			at[i] = double{hi: value[i]}
			g.size[i] += float64(float64(p.n) * value[i] * value[i])
		}
		active = append(active, i)
	}
	g.n += float64(p.n)
	sum := func(i int) double {
		if from[i] < 0 {
			return double{}
		}
		return p.sum[from[i]]
	}
	for q, i := range active {
		g.sum[i] = g.sum[i].plus(sum(i)).plus(n.times(at[i]))
		for _, j := range active[:q+1] {
			s := sum(i).times(at[j]).plus(at[i].times(sum(j))).plus(n.times(at[i]).times(at[j]))
			if from[i] >= 0 && from[j] >= 0 {
				s = s.plus(p.prod[place(from[i], from[j])])
			}
			g.prod[place(i, j)] = g.prod[place(i, j)].plus(s)
		}
	}
}

// square is Σ of squares of variable j itself.
func (p *precise) square(j int) float64 {
	c := p.center[j]
	return p.prod[place(j, j)].hi + float64(2*c*p.sum[j].hi) + float64(float64(p.n)*c*c)
}

// place is where entry i, j of a symmetric matrix is in its lower triangle.
func place(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i+1)/2 + j
}

// mean is the mean of column i less the reference.
func (g *gram) mean(i int) double { return g.sum[i].over(double{hi: g.n}) }

// settle turns the products into those about the means, with an intercept, and
// about 0 without.
func (g *gram) settle(intercept bool) {
	n := double{hi: g.n}
	for i := range g.sum {
		for j := range i + 1 {
			k := place(i, j)
			if intercept {
				g.prod[k] = g.prod[k].minus(g.sum[i].times(g.mean(j)))
				continue
			}
			a, b := double{hi: g.ref[i]}, double{hi: g.ref[j]}
			g.prod[k] = g.prod[k].plus(g.sum[i].times(b)).plus(a.times(g.sum[j])).plus(n.times(a).times(b))
		}
	}
}

const (
	// rounded is how much of a column's size what is left of it must exceed: its
	// values carry half an ε each, and what they were computed from as much.
	rounded = 4 * epsilon
	// drowned is the same for rounding of the sums, per root of the rows.
	drowned = 0x1p-98
)

// elimination is Cholesky's method on the products of a gram, column by column.
type elimination struct {
	gram  *gram
	kept  []int
	scale []double
	lower [][]double
}

// try appends column j unless rounding of the values could have made what is
// left of it, or the rows are used up.
func (e *elimination) try(j int, room bool) {
	z, left, beyond := e.project(j)
	if !beyond || !room {
		return
	}
	e.kept = append(e.kept, j)
	e.scale = append(e.scale, e.gram.prod[place(j, j)].root())
	e.lower = append(e.lower, append(z, left.root()))
}

// project returns the coordinates of column j, scaled to length 1, what is left
// of its squared length, and whether that is more than rounding errors.
func (e *elimination) project(j int) (z []double, left double, beyond bool) {
	scale := e.gram.prod[place(j, j)].root()
	z = make([]double, len(e.kept), len(e.kept)+1)
	if !(scale.hi > 0) {
		return z, double{}, false
	}
	left = double{hi: 1}
	for i, k := range e.kept {
		s := e.gram.prod[place(k, j)].over(e.scale[i]).over(scale)
		for q, l := range e.lower[i][:i] {
			s = s.minus(l.times(z[q]))
		}
		z[i] = s.over(e.lower[i][i])
		left = left.minus(z[i].times(z[i]))
	}
	noise, amplified := e.gram.size[j]/float64(scale.hi*scale.hi), 1.0
	for i, w := range e.back(z) {
		amplified += math.Abs(w.hi)
		share := w.hi / e.scale[i].hi
		noise += float64(share * share * e.gram.size[e.kept[i]])
	}
	limit := float64(rounded*rounded*noise) + float64(drowned*math.Sqrt(e.gram.n)*amplified*amplified)
	return z, left, left.hi > limit
}

// back solves L'·w = z.
func (e *elimination) back(z []double) []double {
	w := append([]double(nil), z...)
	for i := len(w) - 1; i >= 0; i-- {
		w[i] = w[i].over(e.lower[i][i])
		for q := range i {
			w[q] = w[q].minus(e.lower[i][q].times(w[i]))
		}
	}
	return w
}
