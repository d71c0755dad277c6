// Package rounding finds how finely the numbers of a logged column are written, and the
// lattice on which they lie.
package rounding

import (
	"math"

	"banditaudit/ingest/precision"
)

// Resolution is how finely the released values of a log are written:
//
//	k ≤ 7 decimals write all of them, 0 too: each is off by 10^−k/2 at most
//	six significant digits or fewer write all: by half a unit of the last, where that
//	is more and the lattice of the counter is finer
//	they are float32: by half a unit in the last place of float32
//	else by nothing
//
// Values on the lattice of the declared counter are found to be so written too
// where that is no coarser, and are then off by nothing; so are values that all lie on
// a coarser lattice, if it is not the lattice of whole numbers or of decimals (drawnOn).
type Resolution struct {
	places  int // decimals that write all values; above precision.Most: none do
	digits  precision.Digits
	any     bool    // a value is not 0
	grid    float64 // of the declared counter; 0: none
	singles float64 // values that are float32, of those where not all on the grid are
	chance  float64 // how many of these would be by chance, were they on the grid
	size    float64 // the largest |v|
	others  float64 // values that are no float32
	lattice lattice // on which all values lie
}

// Take looks at more of the column; a row has row values.
func (r *Resolution) Take(values []float64, row int) {
	for i, v := range values {
		if v == 0 || i >= row && v == values[i-row] {
			continue
		}
		r.any, r.size = true, max(r.size, math.Abs(v))
		r.lattice.take(v)
		for r.places <= precision.Most && !precision.Write(v, r.places) {
			r.places++
		}
		r.digits.Take(v)
		unit, is := ulp(v), Single(v) > 0
		if unit > r.grid {
			r.chance += r.grid / unit
			if is {
				r.singles++
			}
		}
		if !is {
			r.others++
		}
	}
}

// surplus is how many more values than by chance, and by that twice, have to be
// float32 for some of the column to have been written so.
const surplus = 20

// DrawnOn returns q where all values are multiples of 1/q, a lattice coarser than the
// declared one, that k decimals do not make: 10^−k is the lattice of values that were
// rounded, and whole numbers may be either. Else 0.
func (r *Resolution) DrawnOn() int64 {
	q := r.lattice.coarser(r.grid)
	if q == 1 || r.places <= precision.Most && float64(q) == math.Pow10(r.places) {
		return 0
	}
	return q
}

// Whole reports whether all values are whole numbers, and the declared lattice is finer.
func (r *Resolution) Whole() bool { return r.lattice.coarser(r.grid) == 1 }

// Written is what rounding may have moved v by at most, whatever the declared lattice.
func (r *Resolution) Written(v float64) float64 {
	off := max(Single(v), r.digits.Unit(v)/2)
	if r.places <= precision.Most {
		off = max(off, 0.5/math.Pow10(r.places))
	}
	return off
}

// floats reports whether some of the values are rounded to float32.
func (r *Resolution) floats() bool {
	return r.DrawnOn() == 0 && r.singles > 0 && (r.others == 0 || r.singles > float64(2*r.chance)+surplus)
}

// decimal is half a unit of the last decimal; 0: there are too many, or the
// lattice of the counter is no finer.
func (r *Resolution) decimal() float64 {
	half := 0.5 / math.Pow10(r.places)
	if !r.any || r.DrawnOn() > 0 || r.places > precision.Most || 2*half <= r.grid {
		return 0
	}
	return half
}

// digit is half a unit of the last significant digit of v; 0: there are too many, or
// the lattice of the counter is no finer.
func (r *Resolution) digit(v float64) float64 {
	if unit := r.digits.Unit(v); unit > r.grid && r.DrawnOn() == 0 {
		return unit / 2
	}
	return 0
}

// Coarse reports whether few decimals or digits write the values, and move some.
func (r *Resolution) Coarse() bool { return r.decimal() > 0 || r.digit(r.size) > 0 }

// Rounds reports whether rounding can have moved values.
func (r *Resolution) Rounds() bool { return r.Coarse() || r.floats() }

// Off is what rounding may have moved v by at most.
func (r *Resolution) Off(v float64) float64 {
	switch h := max(r.decimal(), r.digit(v)); {
	case h > 0:
		return h + Single(v)
	case r.floats():
		return Single(v)
	}
	return 0
}

// Largest is off of the largest value.
func (r *Resolution) Largest() *float64 {
	return new(max(r.decimal(), r.digit(r.size), r.Off(float64(float32(r.size)))))
}

// New begins a column of values that a counter of the given grid released.
func New(grid float64) *Resolution {
	return &Resolution{grid: grid, lattice: newLattice()}
}

// Single is half a unit in the last place of float32 of v, and 0 where v is none.
func Single(v float64) float64 {
	if v == 0 || float64(float32(v)) != v {
		return 0
	}
	return ulp(v) / 2
}

// ulp is a unit in the last place of float32 at the size of v.
func ulp(v float64) float64 {
	f := float32(math.Abs(v))
	if math.IsInf(float64(f), 1) {
		return 0 // it was no float32
	}
	return float64(math.Nextafter32(f, math.MaxFloat32)) - float64(f)
}

// SameSum is how far two sums may lie apart that are added in another order.
const SameSum = 1e-9

// Same reports whether a released value v counts as w:
//
//	|v − w| ≤ 10⁻⁹·max(1, |v|, |w|) + h
//
// Sums in another order are then the same, and so are those that are logged with less than
// full precision: h is half, what rounding may have moved them by (see Resolution). A column
// with few decimals is the same value twice where nothing was released, so that h is then
// the h of float32 alone.
func Same(v, w, half float64) bool {
	return math.Abs(v-w) <= float64(SameSum*max(1, math.Abs(v), math.Abs(w)))+half
}
