package world

import "math"

// logarithms returns ln p of propensities, −∞ for 0: what many libraries
// return of a choice.
func logarithms(p []float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = math.Log(v)
	}
	return out
}
