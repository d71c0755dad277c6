package hypothesis

import "math"

// near reports |got − want| ≤ tol·|want|; infinities and NaN must agree.
func near(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol*math.Abs(want)
}
