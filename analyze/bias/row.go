package bias

import "math"

// Row returns the bound on the shift of one reward's expectation by the actions,
// rewards in [0, 1], for a row of privacy cost c ≥ 0 (natural log),
//
//	|E[y | actions] − μ| ≤ tanh(c/4)
//
// for every mean μ; see [Shift]. It is the τ that bounds the bias of coefficients
// and predictions by their weights of the rows. Where a unit owns several rows, c
// is the sum of the costs of all its rows. Source: own derivation, internally
// reviewed. Special cases are:
//
//	Row(0)    = 0
//	Row(+Inf) = 1
//	Row(c)    = NaN if c < 0 or NaN
func Row(c float64) float64 {
	if !(c >= 0) {
		return math.NaN()
	}
	return math.Tanh(c / 4)
}

// Rows writes Row of each cost to dst, which is as long, otherwise it panics.
// Neighbours of one cost are computed once.
func Rows(dst, costs []float64) {
	if len(dst) != len(costs) {
		panic("bias: slice length mismatch")
	}
	last, tau := 0.0, 0.0
	for i, c := range costs {
		if c != last {
			last, tau = c, Row(c)
		}
		dst[i] = tau
	}
}
