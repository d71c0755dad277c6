package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// closeTo reports |got − want| ≤ tol·|want|, and exact agreement of infinities.
func closeTo(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*math.Abs(want)
}

func TestRhoBRReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "rho") {
		if got := RhoBR(r[0]); !closeTo(got, r[1], 2e-14) {
			t.Errorf("RhoBR(%g) = %.17g, want %.17g", r[0], got, r[1])
		}
	}
}

// The printed vectors of the formula sheet, to their last digit.
func TestRhoBRPrinted(t *testing.T) {
	for _, r := range []struct{ c, want, unit float64 }{
		{.05, .00031248915, 1e-11},
		{.1, .00124982643, 1e-11},
		{.5, .03114209226, 1e-11},
		{1, .12330156148, 1e-11},
		{2, .47447464707, 1e-11},
		{5, 2.41771961265, 1e-11},
	} {
		if got := RhoBR(r.c); math.Abs(got-r.want) > 0.5001*r.unit {
			t.Errorf("RhoBR(%g) = %.13g, printed %g", r.c, got, r.want)
		}
	}
}

func TestRhoBRSpecial(t *testing.T) {
	for _, r := range []struct{ c, want float64 }{
		{0, 0},
		{math.Inf(1), math.Inf(1)},
		{-1, math.NaN()},
		{math.NaN(), math.NaN()},
	} {
		got := RhoBR(r.c)
		if got != r.want && !(math.IsNaN(got) && math.IsNaN(r.want)) {
			t.Errorf("RhoBR(%g) = %g, want %g", r.c, got, r.want)
		}
	}
}

func TestRhoBRBoundAndMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(0, 50).Draw(t, "c")
		d := rapid.Float64Range(0, 5).Draw(t, "d")
		if r := RhoBR(c); r < 0 || r > c*c/8*(1+1e-14) {
			t.Fatalf("RhoBR(%g) = %g lies outside [0, c²/8]", c, r)
		}
		if a, b := RhoBR(c), RhoBR(c+d); b < a*(1-1e-13) {
			t.Fatalf("RhoBR fell from %g to %g between %g and %g", a, b, c, c+d)
		}
	})
}
