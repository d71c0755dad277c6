package cell

import (
	"slices"

	"banditaudit/ingest/pages"
)

// IsNumber reports whether the values of a column are numbers, or booleans,
// which are 0 and 1.
func IsNumber(c *pages.Column) bool {
	switch c.Kind {
	case pages.Bool, pages.Int, pages.Uint, pages.Float, pages.Decimal, pages.Null:
		return true
	default:
		return false
	}
}

// InFloats reports whether the numbers of a column are in Block.Float: floats of
// all widths, and decimals as the nearest float64.
func InFloats(c *pages.Column) bool {
	return c.Kind == pages.Float || c.Kind == pages.Decimal
}

// Fractions reports whether the type of a column holds numbers that are not whole.
func Fractions(c *pages.Column) bool { return InFloats(c) && !WholeNumbers(c) }

// WholeDecimals reports whether a column is of decimals without digits after the
// point, as SQL engines unload integers: its values are integers.
func WholeDecimals(c *pages.Column) bool { return c.Kind == pages.Decimal && WholeNumbers(c) }

// AllFinite reports whether no value is NaN or infinite.
func AllFinite(values []float64) bool {
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

// AllWithin reports whether all values are in [lo, hi]; NaN is not.
func AllWithin(values []float64, lo, hi float64) bool {
	for _, v := range values {
		if !(v >= lo && v <= hi) {
			return false
		}
	}
	return true
}

// Take copies the numbers of a block, and reports whether float64 holds all of
// them exactly. Floats and decimals with digits after the point count as held; a
// decimal without them is a whole number.
func Take(dst []float64, b *pages.Block, c *pages.Column) bool {
	if Fractions(c) {
		copy(dst, b.Float)
		return true
	}
	if c.Kind == pages.Decimal {
		copy(dst, b.Float)
		return b.Overs == 0 && !slices.ContainsFunc(b.Int[:len(dst)], func(v int64) bool { return !Exactly(v, c.Kind) })
	}
	good := true
	for i, v := range b.Int[:len(dst)] {
		good = good && Exactly(v, c.Kind)
		dst[i] = float64(v)
	}
	return good
}

// ExactNumber bounds the integers that float64 holds exactly.
const ExactNumber = 1 << 53

// Exactly reports whether an integer of the given kind is one that float64
// holds.
func Exactly(v int64, kind pages.Kind) bool {
	return v <= ExactNumber && v >= -ExactNumber && (v >= 0 || kind != pages.Uint)
}

// Resize returns a slice of length n, in the memory of s where that is enough.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// NumberAt is value i of a block.
func NumberAt(b *pages.Block, c *pages.Column, i int) float64 {
	switch {
	case InFloats(c):
		return b.Float[i]
	case c.Kind == pages.Uint:
		return float64(uint64(b.Int[i])) //nolint:gosec // the bits
	}
	return float64(b.Int[i])
}
