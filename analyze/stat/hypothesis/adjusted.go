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

// BenjaminiYekutieli adjusts a family of m p-values for the false discovery
// rate under every dependence (2001, doi 10.1214/aos/1013699998): with
// p_(1) ≤ … ≤ p_(m),
//
//	adjusted_(i) = min_{j≥i} min(1, m·(1 + ½ + … + 1/m)·p_(j)/j)
//
// given and returned as natural logs, in the original order. m counts every
// member, also those without a p-value. Special cases are:
//
//	an empty family gives an empty result
//	NaN stays NaN, and takes part as p = 1
func BenjaminiYekutieli(logP []float64) []float64 {
	m := len(logP)
	harmonic := 0.0
	for j := m; j >= 1; j-- {
		harmonic += 1 / float64(j)
	}
	return stepUp(logP, float64(m)*harmonic)
}

// Bonferroni adjusts a family of m p-values,
//
//	adjusted_i = min(1, m·p_i)
//
// given and returned as natural logs, in the same order. It controls the
// probability of any false rejection under every dependence. m counts every
// member, also those without a p-value. Special cases are:
//
//	an empty family gives an empty result
//	NaN stays NaN
func Bonferroni(logP []float64) []float64 {
	out := make([]float64, len(logP))
	m := math.Log(float64(len(logP)))
	for i, p := range logP {
		out[i] = min(0, p+m)
	}
	return out
}
