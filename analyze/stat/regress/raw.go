package regress

import (
	"math"

	"banditaudit/analyze/stat/moments"
)

// rawDependent is the length of what is left of a column of length 1 below
// which it cannot be told from rounding errors. Lengths are compared here, not
// squares, so it is far smaller than the root of dependent.
const rawDependent = 1e-12

// raw eliminates the columns without an intercept. X'X itself would square the
// condition of columns far from 0, which are nearly parallel. Instead each
// variable is written as the vector
//
//	(√n·mean, coordinates of its centred column)
//
// which has the same inner products, and these short vectors are made
// orthonormal by Gram–Schmidt, twice (Giraud, Langou & Rozložník 2005, doi
// 10.1016/j.camwa.2005.08.009).
func raw(c *moments.Cross, known expected) *design {
	inner, coordinates := centred(c, known)
	inner.coefficientBasis()
	d := &design{n: inner.n, near: inner.near, inflation: inner.inflation}
	vector := func(v int) []float64 {
		out := make([]float64, len(inner.kept)+2) // the last is the response's own direction
		out[0] = math.Sqrt(d.n) * c.Mean(v)
		copy(out[1:], coordinates[v])
		return out
	}
	var basis [][]float64
	for j := range c.P() {
		basis = d.tryRaw(j, vector(j), basis, known)
	}
	y := vector(c.P())
	y[len(y)-1] = inner.yScale * math.Sqrt(inner.share)
	d.response, d.yScale = make([]float64, len(d.kept)), length(y)
	if d.yScale > 0 {
		z, rest := orthogonalise(y, basis, d.yScale)
		d.response = z
		if left := length(rest); left > rawDependent*d.amplification(z) {
			d.share = left * left
		}
	}
	return d
}

// tryRaw appends covariate j, given as a vector, and its direction to the
// basis, unless it is 0 or depends on the columns before. The number of rows
// needs no test: the vectors lie in a space of no more dimensions.
func (d *design) tryRaw(j int, v []float64, basis [][]float64, known expected) [][]float64 {
	scale := length(v)
	if scale == 0 {
		return basis
	}
	z, rest := orthogonalise(v, basis, scale)
	left := length(rest)
	if left <= rawDependent*d.amplification(z) {
		d.drop(j, known)
		return basis
	}
	d.kept = append(d.kept, j)
	d.scale = append(d.scale, scale)
	d.lower = append(d.lower, append(z, left))
	d.shift, d.offset = append(d.shift, 0), append(d.offset, 0)
	return append(basis, scaled(rest, 1/left))
}

// orthogonalise splits v/scale into coordinates z in the basis and the rest.
func orthogonalise(v []float64, basis [][]float64, scale float64) (z, rest []float64) {
	z, rest = make([]float64, len(basis)), scaled(v, 1/scale)
	for range 2 {
		for q, b := range basis {
			dot := 0.0
			for i, u := range b {
				dot += float64(u * rest[i])
			}
			z[q] += dot
			for i, u := range b {
				rest[i] -= float64(dot * u)
			}
		}
	}
	return z, rest
}

func length(v []float64) float64 {
	s := 0.0
	for _, u := range v {
		s += float64(u * u)
	}
	return math.Sqrt(s)
}
