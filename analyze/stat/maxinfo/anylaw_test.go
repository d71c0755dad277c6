package maxinfo

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

func TestAnyLawReference(t *testing.T) {
	for _, r := range reference.Rows(t, "corrections.csv", "anylaw") {
		c := AnyLaw([]Level{{r[1], 1}})
		if got := c.Apply(r[0]); got < r[2] || got > r[2]+1e-13*(math.Abs(r[0])+r[1]) {
			t.Errorf("E = %g: Apply(%g) = %.17g, want %.17g or a little more", r[1], r[0], got, r[2])
		}
		if r[2] > -1e-9 {
			continue // 1 − p_corr has no digits left to invert
		}
		if got := c.Level(r[2]); got > r[0]+1e-15*math.Abs(r[0]) || got < r[0]-1e-6*(1+math.Abs(r[0])) {
			t.Errorf("E = %g: Level(%g) = %.17g, want %.17g or a little less", r[1], r[2], got, r[0])
		}
	}
}

func TestAnyLawPrinted(t *testing.T) {
	for _, r := range []struct {
		cost float64
		rows int64
		p    float64
		want float64
		unit float64
	}{
		{1, 1, .05, .12516100, 1e-8},
		{1, 1, .01, .02672363, 1e-8},
		{.1, 1, .05, .05496949, 1e-8},
		{.1, 1, .01, .01104010, 1e-8},
		{.1, 25, .05, .3907, 1e-4},
		{1, 4, .05, .7418, 1e-4},
	} {
		if got := math.Exp(AnyLaw([]Level{{r.cost, r.rows}}).Apply(math.Log(r.p))); math.Abs(got-r.want) > .5001*r.unit {
			t.Errorf("c = %g, n = %d, p = %g: %.9g, printed %g", r.cost, r.rows, r.p, got, r.want)
		}
	}
}

// It depends on Σc alone.
func TestAnyLawSums(t *testing.T) {
	one := AnyLaw([]Level{{2, 1}}).Apply(-4)
	for _, levels := range [][]Level{{{1, 2}}, {{.5, 1}, {1.5, 1}}, {{2e-9, 1e9}}} {
		if got := AnyLaw(levels).Apply(-4); !closeTo(got, one, 1e-13) {
			t.Errorf("%v gives %.17g, want %.17g", levels, got, one)
		}
	}
}

// The logarithm of 1 − e^x where that is subnormal, or next to it.
func TestLog1mExpTiny(t *testing.T) {
	for _, x := range []float64{5e-324, 1e-310, 1e-300, 0x1p-900, 1e-270, 1e-10} {
		fraction, exponent := math.Frexp(x)
		want := math.Log(fraction) + float64(exponent)*math.Ln2 - x/2
		if got := log1mExp(-x); math.Abs(got-want) > 1e-12 {
			t.Errorf("ln(1 − e^−%g) = %.17g, want %.17g", x, got, want)
		}
	}
}
