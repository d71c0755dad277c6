package tail

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// The lower tail is that of another program (cephes, as gonum has it), and both tails of one
// law add up to 1.
func TestLogChiSquareBelow(t *testing.T) {
	for _, df := range []float64{0.5, 1, 2, 7, 40, 1000, 2e5} {
		for _, ratio := range []float64{0.01, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2, 9} {
			x := df * ratio
			below, above := math.Exp(LogChiSquareBelow(x, df)), math.Exp(LogChiSquare(x, df))
			if math.Abs(below+above-1) > 1e-12 {
				t.Errorf("df %v, x %v: %v + %v", df, x, below, above)
			}
			if want := mathext.GammaIncReg(df/2, x/2); want > 1e-290 && math.Abs(below/want-1) > 1e-9 {
				t.Errorf("df %v, x %v: %v, want %v", df, x, below, want)
			}
		}
	}
	for _, c := range [][3]float64{{0, 3, math.Inf(-1)}, {-1, 3, math.Inf(-1)}, {math.Inf(1), 3, 0}, {1, 0, math.NaN()}, {math.NaN(), 1, math.NaN()}} {
		if got := LogChiSquareBelow(c[0], c[1]); got != c[2] && !math.IsNaN(c[2]) || math.IsNaN(got) != math.IsNaN(c[2]) {
			t.Errorf("LogChiSquareBelow(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
