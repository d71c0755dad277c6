package confseq

import "math"

// Both are the rewards of two arms: their numbers and their means.
type Both struct {
	N    [2]int64
	Mean [2]float64
}

// DifferenceSequence returns the any-time interval around the difference of the
// means of two arms, with the radius
//
//	r₁(α) + r₂(α)
//
// of their confidence sequences (see [ConfidenceSequence]), which cover the
// means of all arms at once, so that no level is spent on there being two. It is
// not cut to [Lo−Hi, Hi−Lo]. Special cases are:
//
//	an arm with n ≤ 0 gives [-Inf, +Inf]
//	LogAlpha > 0 or NaN, Lo ≥ Hi or K < 1 gives NaN, NaN
//	a NaN mean with both n > 0 gives NaN, NaN
func DifferenceSequence(b Both, s Sequence) (lo, hi float64) {
	switch {
	case !s.valid() || !(s.LogAlpha <= 0):
		return math.NaN(), math.NaN()
	case b.N[0] <= 0 || b.N[1] <= 0:
		return math.Inf(-1), math.Inf(1)
	}
	radius := s.radius(b.N[0]) + s.radius(b.N[1])
	d := b.Mean[0] - b.Mean[1]
	return d - radius, d + radius
}

// DifferenceSequenceP returns ln of the any-time p-value of the hypothesis that
// the means of two arms differ by value: the smallest α whose interval of
// [DifferenceSequence] excludes it. It is found by halving and rounded up to the
// nearer end of the last bracket. Special cases are:
//
//	an arm with n ≤ 0 gives 0
//	Lo ≥ Hi or K < 1 gives NaN
//	a NaN mean or value with both n > 0 gives NaN
func DifferenceSequenceP(b Both, value float64, s Sequence) float64 {
	switch {
	case !s.valid():
		return math.NaN()
	case b.N[0] <= 0 || b.N[1] <= 0:
		return 0
	}
	d := math.Abs(b.Mean[0] - b.Mean[1] - value)
	if math.IsNaN(d) {
		return math.NaN()
	}
	excludes := func(logAlpha float64) bool {
		s.LogAlpha = logAlpha
		return s.radius(b.N[0])+s.radius(b.N[1]) < d
	}
	if !excludes(0) {
		return 0
	}
	lo, hi := -1.0, 0.0 // excludes at hi, not at lo
	for excludes(lo) {
		lo, hi = 2*lo, lo
	}
	for {
		mid := lo + float64(0.5*(hi-lo))
		if mid <= lo || mid >= hi {
			return hi
		}
		if excludes(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
}
