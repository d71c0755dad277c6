package hypothesis

import "math"

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
