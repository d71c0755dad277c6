package bias

import "math"

// same reports agreement to a relative tolerance; NaN agrees with NaN.
func same(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol*math.Abs(want)
}
