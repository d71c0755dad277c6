package regress

import (
	"math"
	"slices"
)

// armFrame is the frame of the rows of arm a, which have the means c. There the
// coordinates of a row in the pooled basis are
//
//	v = origin + Σ_j moved_j·(x_j − center_j)
//
// over the kept covariates. An orthonormal basis of what these vectors span
// gives as many coordinates as there are covariates, and one: a pass over a
// pooled model costs what one over per-arm models does. The center is where the
// leverage is least, so that the constant is a coordinate of its own.
func (m *Model) armFrame(a int, c *means) *frame {
	if c.n == 0 || m.Rank == 0 {
		return &frame{}
	}
	d, f := m.design, &frame{}
	origin, moved := m.armVectors(a, c, f)
	var directions [][]float64
	factor := make([][]float64, len(moved)) // row k: of direction k, by covariate 0…k
	for j := len(moved) - 1; j >= 0; j-- {
		scale := length(moved[j])
		z, rest := orthogonalise(moved[j], directions, scale)
		left := length(rest)
		factor[j] = make([]float64, j+1)
		factor[j][j] = scale * left
		for q, v := range z {
			row := factor[len(moved)-1-q]
			row[j] = scale * v
		}
		directions = append(directions, scaled(rest, 1/left))
	}
	slices.Reverse(directions)
	f.lower, f.scale = inverse(factor)
	z, rest := orthogonalise(origin, directions, 1)
	f.toCenter(z)
	f.constant = length(rest)
	directions = append([][]float64{scaled(rest, 1/f.constant)}, directions...)
	f.yShift, f.yOffset = d.yShift, d.yOffset
	for i, v := range d.response {
		f.yOffset += float64(d.yScale * v * rest[d.first()+i])
	}
	f.basis, f.directions = m.inBasis(directions), directions
	return f
}

// armVectors returns origin and moved, for the means of the arm as center, and
// fills the covariates, the center and the slopes of the frame.
func (m *Model) armVectors(a int, c *means, f *frame) (origin []float64, moved [][]float64) {
	d := m.design
	at := make([]float64, len(d.kept))
	from, value := m.layout.arm(a)
	for i, j := range d.kept {
		at[i] = (value[j] - d.shift[i]) - d.offset[i]
		if k := from[j]; k >= 0 {
			at[i] = ((c.shift[k] - value[j]) - d.shift[i]) + (c.offset[k] - d.offset[i])
		}
	}
	origin = make([]float64, d.first(), d.rank())
	if d.first() == 1 {
		origin[0] = 1 / math.Sqrt(d.n)
	}
	origin = append(origin, d.forward(at)...)
	for i, j := range d.kept {
		own := m.layout.columns[j]
		if own.arm >= 0 {
			continue
		}
		step := make([]float64, len(d.kept))
		step[i] = 1
		for q, k := range d.kept {
			if m.layout.columns[k] == (column{a, own.covariate}) {
				step[q] = 1
			}
		}
		v := d.forward(step)
		slope := 0.0
		for q, u := range v {
			slope += float64(d.yScale * d.response[q] * u)
		}
		f.kept = append(f.kept, own.covariate)
		f.slopes = append(f.slopes, slope)
		f.shift, f.offset = append(f.shift, c.shift[own.covariate]), append(f.offset, c.offset[own.covariate])
		moved = append(moved, append(make([]float64, d.first(), d.rank()), v...))
	}
	return origin, moved
}

// forward solves L·v = D⁻¹·x.
func (d *design) forward(x []float64) []float64 {
	v := make([]float64, len(x))
	for i, row := range d.lower {
		s := x[i] / d.scale[i]
		for q, l := range row[:i] {
			s -= float64(l * v[q])
		}
		v[i] = s / row[i]
	}
	return v
}

// inverse inverts a lower triangle and splits it into L and D, D·L the inverse,
// the rows of L of length 1.
func inverse(t [][]float64) (lower [][]float64, scale []float64) {
	for i := range t {
		row := make([]float64, i+1)
		row[i] = 1 / t[i][i]
		for j := range i {
			s := 0.0
			for q := j; q < i; q++ {
				s += float64(t[i][q] * lower[q][j] * scale[q])
			}
			row[j] = -s / t[i][i]
		}
		size := length(row)
		lower, scale = append(lower, scaled(row, 1/size)), append(scale, size)
	}
	return lower, scale
}

// toCenter moves the center to where the coordinates are 0; they are z at the
// present one: with D·L·u = x − center that is center − D·L·z.
func (f *frame) toCenter(z []float64) {
	for i, row := range f.lower {
		for q, l := range row {
			f.offset[i] -= float64(f.scale[i] * l * z[q])
		}
	}
}

// inBasis returns the weights of coefficients by coordinates in the given
// orthonormal directions, Rank×len(directions).
func (m *Model) inBasis(directions [][]float64) []float64 {
	out := make([]float64, m.Rank*len(directions))
	for j := range m.Rank {
		row := m.basis[j*m.Rank:][:m.Rank]
		for k, v := range directions {
			s := 0.0
			for q, b := range row {
				s += float64(b * v[q])
			}
			out[j*len(directions)+k] = s
		}
	}
	return out
}
