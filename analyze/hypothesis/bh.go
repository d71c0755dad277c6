package hypothesis

import (
	"math"
	"slices"
)

// BenjaminiHochberg adjusts a family of m p-values for the false discovery rate
// where they are independent, or positively dependent in the sense of
// Benjamini & Yekutieli (1995, doi 10.1111/j.2517-6161.1995.tb02031.x; 2001, doi
// 10.1214/aos/1013699998): with p_(1) ≤ … ≤ p_(m),
//
//	adjusted_(i) = min_{j≥i} min(1, m·p_(j)/j)
//
// given and returned as natural logs, in the original order. m counts every
// member, also those without a p-value. It is for raw p-values only: that it
// controls the rate on corrected ones is not known; correct what it returns, by
// the rows that the whole family reads, instead. Special cases are:
//
//	an empty family gives an empty result
//	NaN stays NaN, and takes part as p = 1
func BenjaminiHochberg(logP []float64) []float64 {
	return stepUp(logP, float64(len(logP)))
}

// stepUp returns min_{j≥i} min(1, factor·p_(j)/j) in the original order.
func stepUp(logP []float64, factor float64) []float64 {
	log := math.Log(factor)
	out := make([]float64, len(logP))
	lowest := 0.0
	for rank, i := range slices.Backward(ascending(logP)) {
		if math.IsNaN(logP[i]) {
			out[i] = math.NaN()
			continue
		}
		// A family of one keeps its p bit by bit.
		lowest = min(lowest, logP[i]+max(0, log-math.Log(float64(rank+1))))
		out[i] = lowest
	}
	return out
}
