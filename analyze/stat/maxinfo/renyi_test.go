package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// The correction is the formula at σ, never below it, and above it by rounding
// only; so is its level.
func TestRenyiReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "corrected") {
		c := renyi{r[1]}
		if got := c.Apply(r[0]); got < r[2] || !closeTo(got, r[2], 1e-13) {
			t.Errorf("σ = %g: Apply(%g) = %.17g, want %.17g or a little more", r[1], r[0], got, r[2])
		}
	}
	for _, r := range reference.Rows(t, "maxinfo.csv", "gamma") {
		c := renyi{r[1]}
		if got := c.Level(r[0]); got > r[2] || !closeTo(got, r[2], 1e-13) {
			t.Errorf("σ = %g: Level(%g) = %.17g, want %.17g or a little less", r[1], r[0], got, r[2])
		}
	}
}

// The end-to-end line: PrivUCB, T = 500, K = 20, hybrid counter, 25 pulls.
func TestRenyiPrinted(t *testing.T) {
	for _, r := range []struct{ eps, want float64 }{{.0025, .05047792}, {.05, .06030457}, {1, .66778394}} {
		if got := math.Exp(Renyi(hybridLevels(25, r.eps)).Apply(math.Log(.05))); math.Abs(got-r.want) > 5.001e-9 {
			t.Errorf("ε = %g: corrected p = %.10f, printed %g", r.eps, got, r.want)
		}
	}
}

// p_corr → p as σ → 0.
func TestRenyiVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logP := -rapid.Float64Range(0, 5000).Draw(t, "minus ln p")
		c := rapid.Float64Range(0, 1e-12).Draw(t, "cost")
		if got := Renyi([]Level{{c, 4}}).Apply(logP); got > logP+1e-10+1e-13*math.Abs(logP) {
			t.Fatalf("cost %g: ln p = %.17g became %.17g", c, logP, got)
		}
	})
}
