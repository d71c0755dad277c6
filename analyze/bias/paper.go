package bias

import "math"

// Paper returns the bound on the bias of an arm's mean reward as Neel & Roth
// 2018 print it (arXiv 1806.02329), rewards in [0, 1],
//
//	e^ε − 1
//
// about four times [ArmMean] at small ε. Special cases are:
//
//	Paper(0)    = 0
//	Paper(+Inf) = +Inf
//	Paper(ε)    = NaN if ε < 0 or NaN
func Paper(eps float64) float64 {
	if !(eps >= 0) {
		return math.NaN()
	}
	return math.Expm1(eps)
}
