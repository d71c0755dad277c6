package regress

import (
	"math"

	"banditaudit/analyze/stat/dense"
)

// coefficientBasis returns B (rank×rank, row by row) with
//
//	(X'X)⁻¹ = B·B'
//
// that maps coordinates in the orthonormal basis v = (1/√n, L⁻¹·D⁻¹·(x − mean))
// of a row x to coefficients: the row's weight in coefficient j is (B·v)_j.
// Working in v keeps robust errors exact for columns far from 0.
func (d *design) coefficientBasis() []float64 {
	k, r, first := len(d.kept), d.rank(), d.first()
	b := make([]float64, r*r)
	for col := range k {
		unit := make([]float64, k)
		unit[col] = 1
		for i, w := range d.back(unit) {
			if d.intercept {
				d.inflation += float64(w * w)
			}
			w /= d.scale[i]
			b[(first+i)*r+first+col] = w
			if first == 1 {
				b[first+col] -= float64(w * d.mean(i))
			}
		}
	}
	if first == 1 {
		b[0] = 1 / math.Sqrt(d.n)
	}
	return b
}

// conditionNumber returns the ratio of the largest to the smallest singular
// value of the kept design, the intercept included, with its columns scaled to
// length 1. The triangular factor is used, not X'X, whose smallest eigenvalue
// would drown at a condition of 10⁸. Special cases are:
//
//	rank 0, or a column whose length is beyond the largest number, gives NaN
func (d *design) conditionNumber(shears []shear) float64 {
	r := d.rank()
	if r == 0 {
		return math.NaN()
	}
	first := d.first()
	columns := make([]float64, r*r) // row by row, each in the orthonormal basis
	column := func(i int) []float64 { return columns[i*r:][:r] }
	if first == 1 {
		columns[0] = 1
	}
	for i, row := range d.lower {
		v := column(first + i)
		for q, l := range row {
			v[first+q] = l * d.scale[i]
		}
		if first == 1 {
			v[0] = math.Sqrt(d.n) * d.mean(i)
		}
	}
	for _, s := range shears {
		from := column(first + s.from)
		for q, v := range column(first + s.to) {
			from[q] += float64(s.by * v)
		}
	}
	for i := range r {
		size := length(column(i))
		for q := range column(i) {
			column(i)[q] /= size
		}
	}
	for _, v := range columns {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return math.NaN()
		}
	}
	return dense.Condition(columns, r)
}
