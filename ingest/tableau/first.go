package tableau

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// The functions of this file return the first value of a column that may not be
// there, or -1. They are on the path of every reader of a tableau; where it
// pays, one pass without a branch says whether there is one at all.

// values returns all float64 of a column; nil for column -1.
func (b *batch) values(column int) []float64 {
	if column < 0 {
		return nil
	}
	return arrow.Float64Traits.CastFromBytes(b.column(column))
}

// words are the bits of v.
func words(v []float64) []int64 {
	return arrow.Int64Traits.CastFromBytes(arrow.Float64Traits.CastToBytes(v))
}

// firstNonFinite looks for a NaN or an infinity: all bits of the exponent are
// set, so that adding its lowest one carries into the sign.
func firstNonFinite(v []float64) int {
	const exponent, lowest = 0x7FF << 52, 1 << 52
	w, bad := words(v), int64(0)
	for ; len(w) >= 4; w = w[4:] {
		bad |= (w[0]&exponent + lowest) | (w[1]&exponent + lowest) | (w[2]&exponent + lowest) | (w[3]&exponent + lowest)
	}
	for _, x := range w {
		bad |= x&exponent + lowest
	}
	if bad >= 0 {
		return -1
	}
	for i, x := range v {
		if !finite(x) {
			return i
		}
	}
	return -1
}

// firstOutside looks for a value that is not in [lo, 1], where 0 ≤ lo ≤ 1: the bits of
// such numbers are in their order.
func firstOutside(v []float64, lo float64) int {
	const hi = 1.0
	least, most := int64(math.Float64bits(lo)), int64(math.Float64bits(hi)) //nolint:gosec // neither is negative
	w, bad := words(v), int64(0)
	for ; len(w) >= 2; w = w[2:] {
		bad |= w[0] | (w[0] - least) | (most - w[0]) | w[1] | (w[1] - least) | (most - w[1])
	}
	for _, x := range w {
		bad |= x | (x - least) | (most - x)
	}
	if bad >= 0 {
		return -1
	}
	for i, x := range v { // A negative zero gets here too.
		if !(x >= lo && x <= hi) { // so that NaN fails
			return i
		}
	}
	return -1
}

// firstNoChance looks for a value that is no probability.
func firstNoChance(v []float64) int { return firstOutside(v, 0) }

// firstImproper looks for a value that is neither 0 nor in [MinPropensity, 1].
func firstImproper(v []float64) int {
	from := firstOutside(v, MinPropensity)
	if from < 0 {
		return -1
	}
	for i, p := range v[from:] {
		if math.Float64bits(p) != 0 && !(p >= MinPropensity && p <= 1) { // so that NaN fails, and −0
			return from + i
		}
	}
	return -1
}

// firstBeyond looks for a value that is not in [0, end).
func firstBeyond(v []int32, end int32) int {
	bad := int32(0)
	for _, x := range v {
		bad |= x | (end - 1 - x&math.MaxInt32)
	}
	if bad >= 0 {
		return -1
	}
	for i, x := range v {
		if x < 0 || x >= end {
			return i
		}
	}
	return -1
}

// firstFrom looks for a value that is not in [0, end).
func firstFrom(v []int64, end int64) int {
	for i, x := range v {
		if x < 0 || x >= end {
			return i
		}
	}
	return -1
}

// firstOther looks for a value that is not want.
func firstOther(v []int32, want int32) int {
	other := int32(0)
	for _, x := range v {
		other |= x ^ want
	}
	if other == 0 {
		return -1
	}
	for i, x := range v {
		if x != want {
			return i
		}
	}
	return -1
}

// firstRepeat looks for a value that is not larger than the one before it, which
// it returns too. Last is the one before v[0].
func firstRepeat(v []int64, last int64) (at int, before int64) {
	for i, x := range v {
		if x <= last {
			return i, last
		}
		last = x
	}
	return -1, 0
}

// firstBefore looks for a value that is smaller than the one before it. Last is
// the one before v[0].
func firstBefore(v []int64, last int64) int {
	for i, x := range v {
		if x < last {
			return i
		}
		last = x
	}
	return -1
}

// firstJump looks for a value that is neither the one before it nor that plus
// one, and returns the one before it too. Last is the one before v[0].
func firstJump(v []int32, last int32) (at int, before int32) {
	for i, x := range v {
		if uint32(x-last) > 1 { //nolint:gosec // a step back becomes a large number
			return i, last
		}
		last = x
	}
	return -1, 0
}

// firstIneligible looks for a row whose arm's bit is not set. The arms are in
// [0, k).
func firstIneligible(eligible []byte, arms []int32, k int) int {
	for i, arm := range arms {
		if at := i*k + int(arm); eligible[at/8]>>(at%8)&1 == 0 {
			return i
		}
	}
	return -1
}

// firstNotWithin looks for a whole number that is not in [least, most].
func firstNotWithin(v []int64, least, most int64) int {
	return slices.IndexFunc(v, func(n int64) bool { return n < least || n > most })
}
