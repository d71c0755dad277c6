package regress

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/moments"
	"banditaudit/replay/policy/bitexact"
)

const (
	// dependent is the share of a column's squared length below which what is
	// left of it cannot be told from rounding errors; see Fit.
	dependent = 1e-12
	// perfect is the same for the response: cross-products carry about this
	// relative error.
	perfect = 64 * epsilon
	// constant is the spread, in units of the mean, up to which a column is
	// constant: a few units in the last place.
	constant = 8 * epsilon
)

// centred eliminates the centred columns in order (Cholesky's method with a
// test of every pivot). It also returns, for every covariate and the response
// last, its coordinates in the basis, in its own units; for a dropped column these are its
// projection.
func centred(c *moments.Cross, known expected) (d *design, coordinates [][]float64) {
	d = &design{n: float64(c.N()), intercept: true}
	for j := range c.P() {
		coordinates = append(coordinates, d.tryColumn(c, j, known))
	}
	y := c.P()
	d.yScale = math.Sqrt(c.Product(y, y))
	d.yShift, d.yOffset = c.Center(y)
	d.response = make([]float64, len(d.kept))
	if d.yScale > 0 {
		d.response = d.project(c, y, d.yScale)
		amplified := d.amplification(d.response)
		if left := residue(d.response); left > perfect*amplified*amplified {
			d.share = left
		}
	}
	return d, append(coordinates, scaled(d.response, d.yScale))
}

// tryColumn appends covariate j unless it is constant, depends on the columns
// before, or the rows are used up.
func (d *design) tryColumn(c *moments.Cross, j int, known expected) (coordinates []float64) {
	square := c.Product(j, j)
	if !(square > d.n*bitexact.Pow(constant*c.Mean(j), 2)) {
		return nil
	}
	scale := math.Sqrt(square)
	z := d.project(c, j, scale)
	left, amplified := residue(z), d.amplification(z)
	if float64(len(d.kept)+1) >= d.n {
		return scaled(z, scale)
	}
	if left <= dependent*amplified*amplified {
		d.drop(j, known)
		return scaled(z, scale)
	}
	row := slices.Concat(z, []float64{math.Sqrt(left)})
	shift, offset := c.Center(j)
	d.kept = append(d.kept, j)
	d.scale = append(d.scale, scale)
	d.lower = append(d.lower, row)
	d.shift, d.offset = append(d.shift, shift), append(d.offset, offset)
	return scaled(row, scale)
}

// project solves L·z = D⁻¹·X'v/‖v‖ for a variable v of length scale.
func (d *design) project(c *moments.Cross, v int, scale float64) []float64 {
	z := make([]float64, len(d.kept))
	for i, k := range d.kept {
		s := c.Product(k, v) / d.scale[i] / scale
		for q, l := range d.lower[i][:i] {
			s -= float64(l * z[q])
		}
		z[i] = s / d.lower[i][i]
	}
	return z
}

// residue returns 1 − Σz², what projection leaves of a vector of length 1.
func residue(z []float64) float64 {
	left := 1.0
	for _, v := range z {
		left -= float64(v * v)
	}
	return left
}

func scaled(z []float64, by float64) []float64 {
	out := make([]float64, len(z))
	for i, v := range z {
		out[i] = v * by
	}
	return out
}
