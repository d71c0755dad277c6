package winner

import (
	"math"
	"testing"
)

// The rule integrates x^d over [−1, 1] up to d = 19, and from each of its
// points to 1 up to d = 9.
func TestGaussIsExactForPolynomials(t *testing.T) {
	g := newGauss()
	for d := range 2 * abscissas {
		sum := 0.0
		for k, x := range g.x {
			sum += g.w[k] * math.Pow(x, float64(d))
		}
		if want := (1 - math.Pow(-1, float64(d+1))) / float64(d+1); !(math.Abs(sum-want) < 1e-15) {
			t.Errorf("∫ x^%d = %v, want %v", d, sum, want)
		}
		for k, x := range g.x {
			if d >= abscissas {
				break
			}
			sum := 0.0
			for m, a := range g.above[k] {
				sum += a * math.Pow(g.x[m], float64(d))
			}
			if want := (1 - math.Pow(x, float64(d+1))) / float64(d+1); !(math.Abs(sum-want) < 1e-15) {
				t.Errorf("∫ x^%d from %v to 1 = %v, want %v", d, x, sum, want)
			}
		}
	}
}
