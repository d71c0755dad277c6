package precision

import (
	"math"
	"testing"
)

// A row adds up to 1 by its own decimals: three are always counted, and of more than seven
// none is left open.
func TestAddUp(t *testing.T) {
	t.Parallel()
	third := 1. / 3
	for _, c := range []struct {
		row  []float64
		want bool
	}{
		{[]float64{1}, true},
		{[]float64{third, third, third}, true},
		{[]float64{.3, .3, .3}, false},
		{[]float64{.333, .333, .333}, true},
		{[]float64{.333, .333, .332}, false},
		{[]float64{.3333, .3333, .3333}, true},
		{[]float64{.3333, .3333, .333}, false},
		{[]float64{.5, .5, .001}, true},
		{[]float64{third, third, third - 2e-6}, false},
		{[]float64{0, 0, 0}, false},
		{[]float64{math.NaN(), 1}, false},
		{nil, false},
	} {
		if got := AddUp(c.row); got != c.want {
			t.Errorf("%v: %v", c.row, got)
		}
	}
}
