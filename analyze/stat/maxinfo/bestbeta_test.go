package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func TestTheorem20Reference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "theorem20") {
		got := Theorem20(r[0], r[1], int64(r[2]))
		if !closeTo(got.LogP, r[3], 1e-12) {
			t.Errorf("Theorem20(%g, %g, %g) = %.15g, want %.15g", r[0], r[1], r[2], got.LogP, r[3])
		}
		// The objective is flat at its minimum, and ln β below -745 underflows.
		if r[4] > -700 && math.Abs(math.Log(got.Beta)-r[4]) > 1e-6 {
			t.Errorf("Theorem20(%g, %g, %g): ln β = %.15g, want %.15g", r[0], r[1], r[2], math.Log(got.Beta), r[4])
		}
	}
	for _, r := range reference.Rows(t, "maxinfo.csv", "theorem20gamma") {
		if got := Theorem20Gamma(r[0], r[1], int64(r[2])); !closeTo(got.LogP, r[3], 1e-12) {
			t.Errorf("Theorem20Gamma(%g, %g, %g) = %.15g, want %.15g", r[0], r[1], r[2], got.LogP, r[3])
		}
	}
}

// The column "Theorem 20, best β" of the printed table and γ(.05) beside it.
func TestTheorem20Printed(t *testing.T) {
	for _, r := range []struct {
		eps           float64
		n             int64
		p, want, unit float64
	}{
		{.05, 500, .05, .465688, 1e-6},
		{.05, 500, .01, .121877, 1e-6},
		{.05, 500, .001, .0169085, 1e-7},
		{.1, 100, .05, .369847, 1e-6},
		{.1, 100, .01, .0935886, 1e-7},
		{.1, 25, .05, .137845, 1e-6},
	} {
		if got := math.Exp(Theorem20(math.Log(r.p), r.eps, r.n).LogP); math.Abs(got-r.want) > 0.5001*r.unit {
			t.Errorf("ε = %g, n = %d, p = %g: %.9g, printed %g", r.eps, r.n, r.p, got, r.want)
		}
	}
	// The sheet comes from a grid of β (it prints .0072; the optimum is .007137),
	// so its last digit is one below the supremum .0035121960 that mpmath finds.
	best := math.Exp(Theorem20Gamma(math.Log(.05), .05, 500).LogP)
	if math.Abs(best-.00351219) > 1e-8 || math.Abs(best-.0035121960) > 1e-10 {
		t.Errorf("γ(.05) = %.10f, printed .00351219", best)
	}
}

func TestTheorem20Special(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, r := range []struct {
		logP, eps            float64
		n                    int64
		corrected, beta, bit float64
	}{
		{-3, 0, 10, -3, 0, 0},
		{-3, .1, 0, -3, 0, 0},
		{0, .1, 10, 0, nan, inf},
		{-3, inf, 10, 0, nan, inf},
		{-inf, .1, 10, -inf, 0, inf},
		{1, .1, 10, nan, nan, nan},
		{-1, -.1, 10, nan, nan, nan},
		{-1, .1, -1, nan, nan, nan},
		{nan, .1, 1, nan, nan, nan},
	} {
		got := Theorem20(r.logP, r.eps, r.n)
		if !same(got.LogP, r.corrected) || !same(got.Beta, r.beta) || !same(got.Bits, r.bit) {
			t.Errorf("Theorem20(%g, %g, %d) = %+v", r.logP, r.eps, r.n, got)
		}
	}
	if got := Theorem20(math.Log(.05), 1, 20000); got.LogP != 0 || math.IsNaN(got.Beta) {
		t.Errorf("a bound that says nothing must be p = 1 with the β of the search, got %+v", got)
	}
	for _, r := range []struct {
		logAlpha, eps float64
		n             int64
		gamma, beta   float64
	}{
		{-3, 0, 10, -3, 0},
		{-3, .1, 0, -3, 0},
		{-3, inf, 10, -inf, nan},
		{-inf, .1, 10, -inf, 0},
		{1, .1, 10, nan, nan},
		{-1, nan, 10, nan, nan},
	} {
		if got := Theorem20Gamma(r.logAlpha, r.eps, r.n); !same(got.LogP, r.gamma) || !same(got.Beta, r.beta) {
			t.Errorf("Theorem20Gamma(%g, %g, %d) = %+v", r.logAlpha, r.eps, r.n, got)
		}
	}
}

func TestTheorem20Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logP := -rapid.Float64Range(1e-6, 5000).Draw(t, "minus ln p")
		eps := rapid.Float64Range(1e-6, 2).Draw(t, "eps")
		n := rapid.Int64Range(1, 1e6).Draw(t, "n")
		best := Theorem20(logP, eps, n)
		if best.LogP < logP || best.LogP > 0 {
			t.Fatalf("corrected %g lies outside [ln p, 0] = [%g, 0]", best.LogP, logP)
		}
		beta := math.Exp(-rapid.Float64Range(0, 700).Draw(t, "minus ln beta"))
		if at := Theorem20At(logP, eps, n, beta); at.LogP < best.LogP-1e-12*math.Abs(best.LogP) {
			t.Fatalf("β = %g gives %g, better than the best %g", beta, at.LogP, best.LogP)
		}
		if less := Theorem20(logP-1, eps, n); less.LogP > best.LogP {
			t.Fatalf("a smaller p gave a larger corrected p: %g > %g", less.LogP, best.LogP)
		}
		if best.LogP < -1e-6 {
			if back := Theorem20Gamma(best.LogP, eps, n); !closeTo(back.LogP, logP, 1e-9) {
				t.Fatalf("γ(q(p)) = %g, want %g", back.LogP, logP)
			}
		}
	})
}
