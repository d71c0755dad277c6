package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func TestCorrectedReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "corrected") {
		if got := Corrected(r[0], r[1]); !closeTo(got, r[2], 1e-13) {
			t.Errorf("Corrected(%g, %g) = %.17g, want %.17g", r[0], r[1], got, r[2])
		}
	}
	for _, r := range reference.Rows(t, "maxinfo.csv", "gamma") {
		if got := GammaLog(r[0], r[1]); !closeTo(got, r[2], 1e-13) {
			t.Errorf("GammaLog(%g, %g) = %.17g, want %.17g", r[0], r[1], got, r[2])
		}
	}
}

// Column (d) of the printed tables, at the σ printed there, to the last digit.
func TestCorrectedPrinted(t *testing.T) {
	atRows := func(eps, n float64) float64 { return eps * math.Sqrt(n) / 2 }
	for _, r := range []struct{ sigma, p, want, unit float64 }{
		{.125, .05, .06736859, 1e-8},
		{.125, .01, .01449972, 1e-8},
		{.25, .05, .08936327, 1e-8},
		{.25, .01, .02069824, 1e-8},
		{1, .05, .35064343, 1e-8},
		{1, .01, .12614592, 1e-8},
		{atRows(.05, 500), .05, .168024, 1e-6},
		{atRows(.05, 500), .01, .046659, 1e-6},
		{atRows(.05, 500), .001, .00683169, 1e-8},
		{atRows(.1, 100), .05, .150039, 1e-6},
		{atRows(.1, 100), .01, .0402461, 1e-7},
		{atRows(.1, 25), .05, .0893633, 1e-7},
		{atRows(1, 4), .05, .350643, 1e-6},
	} {
		if got := math.Exp(Corrected(math.Log(r.p), r.sigma)); math.Abs(got-r.want) > 0.5001*r.unit {
			t.Errorf("σ = %g, p = %g: corrected %.10g, printed %g", r.sigma, r.p, got, r.want)
		}
	}
	for _, r := range []struct{ sigma, want float64 }{
		{.25, .02628074},
		{atRows(.05, 500), .01088560},
		{1, .00262289},
	} {
		if got := math.Exp(GammaLog(math.Log(.05), r.sigma)); math.Abs(got-r.want) > 5.001e-9 {
			t.Errorf("σ = %g: γ(.05) = %.10g, printed %g", r.sigma, got, r.want)
		}
	}
}

func TestConditionalSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct{ logP, sigma, corrected, gamma float64 }{
		{0, 2, 0, -2},
		{-inf, 2, -inf, -inf},
		{-3, 0, -3, -3},
		{-3, inf, 0, -inf},
		{-inf, inf, 0, -inf},
		{0, 0, 0, 0},
		{.1, 1, nan, nan},
		{-1, -1, nan, nan},
		{nan, 1, nan, nan},
		{-1, nan, nan, nan},
	} {
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Corrected", Corrected(r.logP, r.sigma), r.corrected},
			{"GammaLog", GammaLog(r.logP, r.sigma), r.gamma},
		} {
			if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
				t.Errorf("%s(%g, %g) = %g, want %g", c.name, r.logP, r.sigma, c.got, c.want)
			}
		}
	}
}

func TestCorrectedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logP := -rapid.Float64Range(0, 1e6).Draw(t, "minus ln p")
		sigma := rapid.Float64Range(0, 50).Draw(t, "sigma")
		q := Corrected(logP, sigma)
		if q < logP || q > 0 {
			t.Fatalf("corrected %g lies outside [ln p, 0] = [%g, 0]", q, logP)
		}
		if larger := Corrected(logP, sigma+1); larger < q {
			t.Fatalf("a larger σ gave a smaller p: %g < %g", larger, q)
		}
		if smaller := Corrected(logP-1, sigma); smaller > q {
			t.Fatalf("a smaller p gave a larger corrected p: %g > %g", smaller, q)
		}
		if g := GammaLog(logP, sigma); g > logP {
			t.Fatalf("γ(α) = %g exceeds α = %g", g, logP)
		}
		// The digits of q are those of √(2 ln 1/p) − σ: test the round trip
		// where the subtraction leaves enough of them.
		if root := math.Sqrt(-2 * logP); root > sigma*1.01+0.01 {
			if back := GammaLog(q, sigma); !closeTo(back, logP, 1e-11) {
				t.Fatalf("γ(q(p)) = %g, want %g", back, logP)
			}
		}
	})
}
