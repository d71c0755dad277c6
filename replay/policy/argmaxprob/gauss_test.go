package argmaxprob

import (
	"math"
	"testing"
)

// The rule integrates x^d over [−1, 1] up to d = 23, and from each of its points to 1 up
// to d = 11.
func TestGaussIsExactForPolynomials(t *testing.T) {
	for d := range 2 * abscissas {
		var f, below panel
		for k, x := range rule.x {
			f[k] = math.Pow(x, float64(d))
		}
		want := func(x float64) float64 { return (1 - math.Pow(x, float64(d+1))) / float64(d+1) }
		if got := 3 - rule.integrate(&f, 3, &below); !(math.Abs(got-want(-1)) < 4e-15) {
			t.Errorf("∫ x^%d = %v, want %v", d, got, want(-1))
		}
		for k, x := range rule.x {
			if got := 3 - below[k]; d < abscissas && !(math.Abs(got-want(x)) < 4e-15) {
				t.Errorf("∫ x^%d from %v to 1 = %v, want %v", d, x, got, want(x))
			}
		}
	}
}
