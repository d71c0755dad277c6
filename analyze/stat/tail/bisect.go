package tail

import "math"

// FirstTrue returns the smallest float64 x in [0, hi] for which ok holds,
// where ok is false below some point and true from there on. It halves the
// ordered bit patterns, so it takes at most 64 calls at any magnitude and ends
// on adjacent floats. Special cases are:
//
//	FirstTrue(hi, ok) = +Inf if ok(hi) is false
//	FirstTrue(hi, ok) = NaN if hi is negative or NaN
func FirstTrue(hi float64, ok func(x float64) bool) float64 {
	if !(hi >= 0) {
		return math.NaN()
	}
	if !ok(hi) {
		return math.Inf(1)
	}
	lo, up := uint64(0), math.Float64bits(hi)
	for lo < up {
		mid := lo + (up-lo)/2
		if ok(math.Float64frombits(mid)) {
			up = mid
		} else {
			lo = mid + 1
		}
	}
	return math.Float64frombits(up)
}
