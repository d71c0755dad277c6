package hypothesis

import (
	"math"
	"slices"
)

// Holm adjusts a family of m p-values by the step-down method of Holm (1979,
// https://www.jstor.org/stable/4615733): with p_(1) ≤ … ≤ p_(m),
//
//	adjusted_(i) = max_{j≤i} min(1, (m−j+1)·p_(j))
//
// given and returned as natural logs, in the original order. It controls the
// probability of any false rejection under every dependence and rejects
// whatever Bonferroni rejects. m counts every member, also those without a
// p-value. Special cases are:
//
//	an empty family gives an empty result
//	NaN stays NaN, and takes part as p = 1
func Holm(logP []float64) []float64 {
	out := make([]float64, len(logP))
	highest := math.Inf(-1)
	for rank, i := range ascending(logP) {
		if math.IsNaN(logP[i]) {
			out[i] = math.NaN()
			continue
		}
		highest = max(highest, min(0, logP[i]+math.Log(float64(len(logP)-rank))))
		out[i] = highest
	}
	return out
}

// ascending returns the indices that sort logP, NaN last and ties by index.
func ascending(logP []float64) []int {
	order := make([]int, len(logP))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := logP[a], logP[b]
		switch {
		case x < y, !math.IsNaN(x) && math.IsNaN(y):
			return -1
		case x > y, math.IsNaN(x) && !math.IsNaN(y):
			return 1
		}
		return 0
	})
	return order
}
