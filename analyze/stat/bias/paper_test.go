package bias

import (
	"math"
	"testing"
)

func TestPaper(t *testing.T) {
	for _, r := range []struct{ eps, want float64 }{
		{0, 0},
		{math.Inf(1), math.Inf(1)},
		{-1, math.NaN()},
		{math.NaN(), math.NaN()},
		{1e-12, 1.0000000000005e-12}, // ε + ε²/2
		{1, math.E - 1},
	} {
		if got := Paper(r.eps); !same(got, r.want, 1e-15) {
			t.Errorf("Paper(%g) = %.17g, want %.17g", r.eps, got, r.want)
		}
	}
	// The end-to-end line prints .0513 for ε = .05.
	if got := Paper(.05); math.Abs(got-.0513) > 5.01e-5 {
		t.Errorf("Paper(.05) = %g, printed .0513", got)
	}
}
