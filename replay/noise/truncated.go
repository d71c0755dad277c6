package noise

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// truncated bounds the probability that no w lies beyond where the largest is, at
// any length of the log. For every c the likelihood ratio of exponential variables
// that are cut off at c, to those that are not,
//
//	1{all w ≤ c}/(1−e^{−c})^m
//
// has mean 1 at every m, and so has its mean over c = j/2 with weights 1/(j(j+1)),
// j = 1, 2, …; by Ville's inequality P is at most its inverse, and so
//
//	P ≤ j(j+1)·(1−e^{−c})^m
//
// at, c, is the first of these that no w exceeds: of the largest draw it says no
// more than in which half unit it lies.
//
// Special cases are:
//
//	no w, or an infinite one: P is 1
func truncated(w []float64) (p, at float64) {
	if len(w) == 0 {
		return 1, math.NaN()
	}
	most := slices.Max(w)
	if math.IsInf(most, 1) || math.IsNaN(most) {
		return 1, math.NaN()
	}
	j := max(1, math.Ceil(2*most))
	at = j / 2
	return min(1, j*(j+1)*bitexact.Exp(float64(len(w))*math.Log1p(-bitexact.Exp(-at)))), at
}
