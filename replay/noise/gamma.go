package noise

import (
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// twoSidedGamma returns 2·min(P(G ≤ x), P(G ≥ x)), at most 1, for G that is
// gamma with shape m and scale 1: half of a χ² with 2m degrees of freedom.
func twoSidedGamma(m, x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return min(1, 2*min(gammaBelow(m, x), gammaAbove(m, x)))
}

// gammaBelow returns P(G ≤ x) for G that is gamma with shape m and scale 1.
func gammaBelow(m, x float64) float64 { return bitexact.Exp(tail.LogChiSquareBelow(2*x, 2*m)) }

// gammaAbove returns P(G ≥ x).
func gammaAbove(m, x float64) float64 { return bitexact.Exp(tail.LogChiSquare(2*x, 2*m)) }

// gammaQuantile returns x with P(G ≤ x) = p for p ≤ 1/2; upper: P(G ≥ x) = p.
func gammaQuantile(m, p float64, upper bool) float64 {
	above := func(x float64) bool { return gammaBelow(m, x) > p }
	if upper {
		above = func(x float64) bool { return gammaAbove(m, x) < p }
	}
	return bitexact.Exp(crossing(math.Log(m), func(ln float64) bool { return above(bitexact.Exp(ln)) }))
}

// crossing returns where a condition that holds from some number upwards starts
// to hold, looked for from start on. It returns ±Inf where that is further off
// than 512.
func crossing(start float64, holds func(float64) bool) float64 {
	lo, hi := start, start
	step := 1.0
	if holds(start) {
		for lo -= step; holds(lo); lo -= step {
			if step *= 2; step > 512 {
				return math.Inf(-1)
			}
			hi = lo
		}
	} else {
		for hi += step; !holds(hi); hi += step {
			if step *= 2; step > 512 {
				return math.Inf(1)
			}
			lo = hi
		}
	}
	for range 60 {
		mid := lo + float64((hi-lo)/2)
		if mid == lo || mid == hi || hi-lo < 1e-12*max(1, math.Abs(hi)) {
			break
		}
		if holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
