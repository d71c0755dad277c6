package bias

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func TestShiftReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "shift") {
		lower, upper := Shift(r[0], r[1])
		if !same(lower, r[2], 2e-15) || !same(upper, r[3], 2e-15) {
			t.Errorf("Shift(%g, %g) = %.17g, %.17g, want %.17g, %.17g", r[0], r[1], lower, upper, r[2], r[3])
		}
	}
}

// The vectors printed on the formula sheet, to the last digit.
func TestShiftPrinted(t *testing.T) {
	for _, r := range []struct{ mu, c, up, low, unitUp, unitLow float64 }{
		{.1, 1, .13196932, .0607297, 1e-8, 1e-7},
		{.5, 1, .23105858, .23105858, 1e-8, 1e-8},
		{.9, .5, .03686267, .0548281, 1e-8, 1e-7},
		{.1, .05, .00459086, .00441086, 1e-8, 1e-8},
	} {
		lower, upper := Shift(r.c, r.mu)
		if math.Abs(upper-r.up) > 0.5001*r.unitUp || math.Abs(-lower-r.low) > 0.5001*r.unitLow {
			t.Errorf("Shift(%g, %g) = %.10f, %.10f, printed %g, %g", r.c, r.mu, lower, upper, r.low, r.up)
		}
	}
}

func TestShiftSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct{ c, mu, lower, upper float64 }{
		{0, .3, 0, 0},
		{inf, .25, -.25, .75},
		{1, 0, 0, 0},
		{1, 1, 0, 0},
		{inf, 0, 0, 0},
		{-1, .5, nan, nan},
		{1, -.1, nan, nan},
		{1, 1.1, nan, nan},
		{nan, .5, nan, nan},
		{1, nan, nan, nan},
	} {
		lower, upper := Shift(r.c, r.mu)
		if !same(lower, r.lower, 0) || !same(upper, r.upper, 0) || math.Signbit(lower) && lower == 0 {
			t.Errorf("Shift(%g, %g) = %g, %g, want %g, %g", r.c, r.mu, lower, upper, r.lower, r.upper)
		}
	}
}

// Both sides stay below tanh(c/4), which is attained at μ = 1/(1+e^{c/2}), and
// inside the range of the reward.
func TestShiftProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(1e-9, 30).Draw(t, "c")
		mu := rapid.Float64Range(0, 1).Draw(t, "mu")
		most := math.Tanh(c/4) * (1 + 1e-13)
		lower, upper := Shift(c, mu)
		if upper < 0 || lower > 0 || upper > most || -lower > most || mu+upper > 1+1e-15 || mu+lower < -1e-15 {
			t.Fatalf("Shift = %g, %g, tanh(c/4) = %g", lower, upper, most)
		}
		if _, top := Shift(c, 1/(1+math.Exp(c/2))); !same(top, math.Tanh(c/4), 1e-12) {
			t.Fatalf("the maximum is %g, not tanh(c/4) = %g", top, math.Tanh(c/4))
		}
	})
}
