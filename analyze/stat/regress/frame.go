package regress

import (
	"math"

	"banditaudit/analyze/stat/moments"
)

// frame turns rows into residuals, leverages and coordinates, for rows whose
// columns of the design are affine functions of the covariates: all rows of a
// plain model, and the rows of one arm in a pooled one. The coordinates u of a row x are a
// constant, if the frame has one, and the solution of
//
//	L·u = D⁻¹·(x − center)
//
// over the frame's covariates. The leverage is u'u, the row's weight in
// coefficient j is (basis·u)_j.
type frame struct {
	kept     []int     // covariates, by index into the columns
	constant float64   // coordinate 0 of every row; 0 if there is no such coordinate
	shift    []float64 // center, in two parts
	offset   []float64
	scale    []float64   // D
	lower    [][]float64 // L, row by row
	slopes   []float64   // of the fitted values
	yShift   float64     // the fitted value at the center, in two parts
	yOffset  float64
	basis    []float64 // Rank×size, row by row
	// directions holds the directions of the coordinates in the basis of the whole design; nil
	// where they are the design's own coordinates.
	directions [][]float64
}

// size counts the coordinates.
func (f *frame) size() int { return f.first() + len(f.kept) }

// first counts the constant coordinates.
func (f *frame) first() int {
	if f.constant != 0 {
		return 1
	}
	return 0
}

// means are the counts and means of a frame's rows, of all covariates and the
// response, in two parts as [moments.Cross.Center] has them.
type means struct {
	n      int64
	shift  []float64
	offset []float64
}

func meansOf(c *moments.Cross) *means {
	v := c.P() + 1
	m := &means{n: c.N(), shift: make([]float64, v), offset: make([]float64, v)}
	for i := range v {
		m.shift[i], m.offset[i] = c.Center(i)
	}
	return m
}

// plainFrame is the frame of a model without arms.
func (m *Model) plainFrame() *frame {
	d := m.design
	f := &frame{
		kept: d.kept, shift: d.shift, offset: d.offset, scale: d.scale, lower: d.lower,
		slopes: m.Estimates[d.first():], yShift: d.yShift, yOffset: d.yOffset, basis: m.basis,
	}
	if d.first() == 1 {
		f.constant = 1 / math.Sqrt(d.n)
	}
	return f
}
