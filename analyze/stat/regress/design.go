package regress

import (
	"math"

	"banditaudit/analyze/stat/moments"
)

const epsilon = 0x1p-52

// design holds the triangular factor of the kept columns, each scaled to
// length 1,
//
//	X = Q·(D·L)',  X the kept columns, centred beside an intercept
//
// and what is needed to go from rows to the orthonormal basis and back.
type design struct {
	n         float64
	intercept bool
	kept      []int       // covariates that have a coefficient
	scale     []float64   // D: the length of each kept column
	shift     []float64   // center of each kept column, in two parts
	offset    []float64   //
	lower     [][]float64 // L, row by row
	response  []float64   // coordinates of y/‖y‖ in the basis
	share     float64     // ‖y − ŷ‖²/‖y‖², 0 where rounding could have made it
	yScale    float64     // ‖y‖, centred with an intercept
	yShift    float64
	yOffset   float64
	inflation float64 // Σ of the variance inflation factors of the centred columns
	near      bool    // a column was dropped that may not depend on others in truth
}

// expected tells of columns that the rows must make dependent on the kept ones
// before them: no digits are in question there. nil: of none.
type expected func(kept []int, column int) bool

// drop notes that a column was dropped for being nearly dependent.
func (d *design) drop(column int, known expected) {
	d.near = d.near || known == nil || !known(d.kept, column)
}

func newDesign(c *moments.Cross, intercept bool, known expected) *design {
	switch {
	case c.N() == 0:
		return &design{intercept: intercept}
	case intercept:
		d, _ := centred(c, known)
		return d
	}
	return raw(c, known)
}

// back solves L'·w = z.
func (d *design) back(z []float64) []float64 {
	w := append([]float64(nil), z...)
	for i := len(w) - 1; i >= 0; i-- {
		w[i] /= d.lower[i][i]
		for q := range i {
			w[q] -= float64(d.lower[i][q] * w[i])
		}
	}
	return w
}

// amplification returns 1 + Σ|w|, w = L'⁻¹·z: by how much rounding errors of
// the kept columns can grow on their way into what is left of a column with
// coordinates z.
func (d *design) amplification(z []float64) float64 {
	sum := 1.0
	for _, w := range d.back(z) {
		sum += math.Abs(w)
	}
	return sum
}

// rank counts the kept columns, the intercept among them.
func (d *design) rank() int {
	if d.intercept && d.n > 0 {
		return len(d.kept) + 1
	}
	return len(d.kept)
}

// first returns the number of coordinates before the coordinates of the columns: 1 with an
// intercept.
func (d *design) first() int { return d.rank() - len(d.kept) }

// mean is the center of a kept column.
func (d *design) mean(i int) float64 { return d.shift[i] + d.offset[i] }

// coefficients returns the estimates in the order of the kept columns.
func (d *design) coefficients() []float64 {
	slopes := d.back(d.response)
	level := d.yShift + d.yOffset
	for i := range slopes {
		slopes[i] *= d.yScale / d.scale[i]
		level -= float64(slopes[i] * d.mean(i))
	}
	if d.rank() > len(slopes) {
		return append([]float64{level}, slopes...)
	}
	return slopes
}

// explained splits the sum of squares of the response.
func (d *design) explained() (explained, rss, tss float64) {
	tss = float64(d.yScale * d.yScale)
	return tss * (1 - d.share), tss * d.share, tss
}
