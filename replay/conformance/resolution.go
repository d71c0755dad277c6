package conformance

import (
	"math"

	"banditaudit/ingest/precision"
)

// resolution is how finely the released values of a log are written:
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
type resolution struct {
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

// take looks at more of the column; a row has row values.
func (r *resolution) take(values []float64, row int) {
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
		unit, is := ulp(v), single(v) > 0
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

// drawnOn returns q where all values are multiples of 1/q, a lattice coarser than the
// declared one, that k decimals do not make: 10^−k is the lattice of values that were
// rounded, and whole numbers may be either. Else 0.
func (r *resolution) drawnOn() int64 {
	q := r.lattice.coarser(r.grid)
	if q == 1 || r.places <= precision.Most && float64(q) == math.Pow10(r.places) {
		return 0
	}
	return q
}

// whole reports whether all values are whole numbers, and the declared lattice is finer.
func (r *resolution) whole() bool { return r.lattice.coarser(r.grid) == 1 }

// written is what rounding may have moved v by at most, whatever the declared lattice.
func (r *resolution) written(v float64) float64 {
	off := max(single(v), r.digits.Unit(v)/2)
	if r.places <= precision.Most {
		off = max(off, 0.5/math.Pow10(r.places))
	}
	return off
}

// floats reports whether some of the values are rounded to float32.
func (r *resolution) floats() bool {
	return r.drawnOn() == 0 && r.singles > 0 && (r.others == 0 || r.singles > float64(2*r.chance)+surplus)
}

// decimal is half a unit of the last decimal; 0: there are too many, or the
// lattice of the counter is no finer.
func (r *resolution) decimal() float64 {
	half := 0.5 / math.Pow10(r.places)
	if !r.any || r.drawnOn() > 0 || r.places > precision.Most || 2*half <= r.grid {
		return 0
	}
	return half
}

// digit is half a unit of the last significant digit of v; 0: there are too many, or
// the lattice of the counter is no finer.
func (r *resolution) digit(v float64) float64 {
	if unit := r.digits.Unit(v); unit > r.grid && r.drawnOn() == 0 {
		return unit / 2
	}
	return 0
}

// coarse reports whether few decimals or digits write the values, and move some.
func (r *resolution) coarse() bool { return r.decimal() > 0 || r.digit(r.size) > 0 }

// rounds reports whether rounding can have moved values.
func (r *resolution) rounds() bool { return r.coarse() || r.floats() }

// off is what rounding may have moved v by at most.
func (r *resolution) off(v float64) float64 {
	switch h := max(r.decimal(), r.digit(v)); {
	case h > 0:
		return h + single(v)
	case r.floats():
		return single(v)
	}
	return 0
}

// largest is off of the largest value.
func (r *resolution) largest() *float64 {
	return new(max(r.decimal(), r.digit(r.size), r.off(float64(float32(r.size)))))
}

// single is half a unit in the last place of float32 of v, and 0 where v is none.
func single(v float64) float64 {
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

// resolve finds the resolution of the released values in one pass.
func (j *job) resolve() (*resolution, error) {
	r := &resolution{grid: j.mechanism.Grid(), lattice: newLattice()}
	for i := range j.s.Chunks() {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		c := j.s.Chunk(i)
		if n := len(c.Arm); n > 0 {
			r.take(c.ReleasedByArm, len(c.ReleasedByArm)/n)
		}
	}
	return r, nil
}
