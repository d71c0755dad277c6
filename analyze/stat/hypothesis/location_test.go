package hypothesis

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLocationSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, l := range []Location{{1, 0, 5}, {1, nan, 5}, {1, 1, 0}, {1, 1, nan}, {1, -1, 5}} {
		if r := l.Test(0, TwoSided, -3); !math.IsNaN(r.Statistic) || !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) || !math.IsNaN(r.Hi) {
			t.Errorf("%+v: %+v", l, r)
		}
	}
	if r := (Location{nan, 1, 5}).Test(0, TwoSided, -3); !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) {
		t.Errorf("NaN estimate: %+v", r)
	}
	if r := (Location{1, 1, 5}).Test(nan, TwoSided, -3); !math.IsNaN(r.LogP) {
		t.Errorf("NaN value: %+v", r)
	}
	// With one degree of freedom the quantile at e^−5000 exceeds every float64.
	if lo, hi := (Location{0, 1, 1}).Interval(TwoSided, -5000); lo != -inf || hi != inf {
		t.Errorf("[%g, %g], want the whole line", lo, hi)
	}
	if lo, hi := (Location{0, 1, 1e5}).Interval(TwoSided, -5000); math.IsInf(lo, -1) || lo != -hi || hi < 99 || hi > 110 {
		t.Errorf("[%g, %g], want about ±102", lo, hi)
	}
	if lo, hi := (Location{3, 1, 9}).Interval(Greater, -3); lo >= 3 || hi != inf {
		t.Errorf("greater: [%g, %g]", lo, hi)
	}
	if lo, hi := (Location{3, 1, 9}).Interval(Less, -3); hi <= 3 || lo != -inf {
		t.Errorf("less: [%g, %g]", lo, hi)
	}
}

// A value at the end of the interval has p = α.
func TestLocationDuality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Location{
			Estimate: rapid.Float64Range(-10, 10).Draw(t, "estimate"),
			StdErr:   rapid.Float64Range(1e-3, 10).Draw(t, "error"),
			DF:       rapid.SampledFrom([]float64{3, 30, 1e4, math.Inf(1)}).Draw(t, "df"),
		}
		alt := Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		logAlpha := -rapid.Float64Range(1, 300).Draw(t, "minus ln alpha")
		lo, hi := l.Interval(alt, logAlpha)
		for _, end := range []float64{lo, hi} {
			if math.IsInf(end, 0) {
				continue
			}
			if p := l.Test(end, alt, logAlpha).LogP; math.Abs(p-logAlpha) > 1e-9*math.Abs(logAlpha) {
				t.Fatalf("ln p at the end %g is %g, not %g", end, p, logAlpha)
			}
		}
	})
}
