package bias

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

func TestRow(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "tanh4") {
		if got := Row(r[0]); !same(got, r[1], 4e-16) {
			t.Errorf("Row(%g) = %.17g, want %.17g", r[0], got, r[1])
		}
	}
	for _, r := range []struct{ c, want float64 }{{0, 0}, {math.Inf(1), 1}, {-1, math.NaN()}, {math.NaN(), math.NaN()}} {
		if got := Row(r.c); !same(got, r.want, 0) {
			t.Errorf("Row(%g) = %g, want %g", r.c, got, r.want)
		}
	}
}

func TestRows(t *testing.T) {
	costs := []float64{0, 0, 1, 1, .5, math.NaN(), math.NaN(), -1, math.Inf(1), 1}
	got := make([]float64, len(costs))
	Rows(got, costs)
	for i, c := range costs {
		if !same(got[i], Row(c), 0) {
			t.Errorf("row %d of cost %g: %g, want %g", i, c, got[i], Row(c))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a short dst is the caller's mistake and must panic")
		}
	}()
	Rows(got[1:], costs)
}
