package world

import "slices"

// swapped returns propensities with those of the first two arms exchanged, as
// where arms are numbered by two tables.
func swapped(p []float64) []float64 {
	out := slices.Clone(p)
	out[0], out[1] = out[1], out[0]
	return out
}
