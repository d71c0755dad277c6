package ingest

import "banditaudit/ingest/pages"

// isNumber reports whether the values of a column are numbers, or booleans,
// which are 0 and 1.
func isNumber(c *pages.Column) bool {
	switch c.Kind {
	case pages.Bool, pages.Int, pages.Uint, pages.Float, pages.Decimal, pages.Null:
		return true
	default:
		return false
	}
}

// inFloats reports whether the numbers of a column are in Block.Float: floats of
// all widths, and decimals as the nearest float64.
func inFloats(c *pages.Column) bool {
	return c.Kind == pages.Float || c.Kind == pages.Decimal
}

// numbers converts a block of numbers, one for each row. What float64 does not
// hold exactly, NaN and infinities are faults, but a decimal is rounded to the
// nearest; nulls become 0.
func numbers(r *rows, w int, name string, dst []float64, f *faults) []float64 {
	dst = resizeTo(dst, r.n)
	b, c := r.cols[w], r.types[w]
	if !take(dst, b, c) {
		refuseInts(r, w, name, 1, f)
	}
	if allFinite(dst) {
		return dst
	}
	for i, v := range dst {
		if !isFinite(v) {
			f.row(RuleNotFinite, name, r.place(i), "NaN or an infinity", mendNotFinite)
		}
	}
	return dst
}

// allFinite reports whether no value is NaN or infinite.
func allFinite(values []float64) bool {
	var a, b, c, d float64 // sums of 0, or NaN from the first value on that is not finite
	for ; len(values) >= 4; values = values[4:] {
		a += float64(values[0] * 0)
		b += float64(values[1] * 0)
		c += float64(values[2] * 0)
		d += float64(values[3] * 0)
	}
	for _, v := range values {
		a += float64(v * 0)
	}
	return a+b+c+d == 0
}

// allWithin reports whether all values are in [lo, hi]; NaN is not.
func allWithin(values []float64, lo, hi float64) bool {
	for _, v := range values {
		if !(v >= lo && v <= hi) {
			return false
		}
	}
	return true
}

const mendNotFinite = "correct the value, or leave the row out"

// take copies the numbers of a block, and reports whether float64 holds all of
// them exactly; decimals it does.
func take(dst []float64, b *pages.Block, c *pages.Column) bool {
	if inFloats(c) {
		copy(dst, b.Float)
		return true
	}
	good := true
	for i, v := range b.Int[:len(dst)] {
		good = good && exactly(v, c.Kind)
		dst[i] = float64(v)
	}
	return good
}

// refuseInts reports the rows with a whole number, of width in each row, that
// float64 does not hold exactly.
func refuseInts(r *rows, w int, name string, width int, f *faults) {
	b, kind := r.cols[w], r.types[w].Kind
	for i := range r.n {
		for _, v := range b.Int[i*width : (i+1)*width] {
			if !exactly(v, kind) {
				f.row(RuleNotExact, name, r.place(i), "a whole number beyond ±2^53, which a float64 does not hold exactly", "scale the column down, or cast it to DOUBLE knowingly")
				break
			}
		}
	}
}

// exactNumber bounds the integers that float64 holds exactly.
const exactNumber = 1 << 53

// exactly reports whether an integer of the given kind is one that float64
// holds.
func exactly(v int64, kind pages.Kind) bool {
	return v <= exactNumber && v >= -exactNumber && (v >= 0 || kind != pages.Uint)
}
