package maxinfo

import (
	"math"
	"testing"
)

// The columns "Theorem 20 nats (bits)" of the printed table, to the last digit.
func TestMaxInformationPrinted(t *testing.T) {
	for _, r := range []struct {
		eps              float64
		n                int64
		beta, nats, bits float64
		unit             float64
	}{
		{.05, 500, .05, 2.143404, 3.092278, 1e-6},
		{.05, 500, .01, 2.444739, 3.527012, 1e-6},
		{.05, 500, .001, 2.804579, 4.046152, 1e-6},
		{.1, 100, .05, 1.858102, 2.680674, 1e-6},
		{.1, 100, .01, 2.127624, 3.069512, 1e-6},
		{.1, 25, .05, .804051, 1.160000, 1e-6},
		{1, 10, .05, 9.29469, 9.29469 * math.Log2E, 1e-5},
	} {
		nats, bits := MaxInformation(r.eps, r.n, r.beta)
		if math.Abs(nats-r.nats) > 0.5001*r.unit || math.Abs(bits-r.bits) > 0.7214*r.unit {
			t.Errorf("ε = %g, n = %d, β = %g: k = %.7f nats, %.7f bits, printed %g, %g", r.eps, r.n, r.beta, nats, bits, r.nats, r.bits)
		}
	}
}

// Row E1 of the sheet's list of errors: the published level lost its −β.
func TestGammaAtPrinted(t *testing.T) {
	r := Theorem20GammaAt(math.Log(.05), .05, 500, .025)
	if got := math.Exp(r.LogP); math.Abs(got-.00255730) > 5.01e-9 {
		t.Errorf("γ(.05) at β = .025 is %.9f, printed .00255730", got)
	}
	if got := .05 * math.Exp(-r.Nats); math.Abs(got-.00511461) > 5.01e-9 {
		t.Errorf("the published level is %.9f, printed .00511461", got)
	}
}

// γ and p_corr at one β undo each other, and the fixed β never beats the best.
func TestTheorem20AtRoundTrip(t *testing.T) {
	for _, beta := range []float64{1e-6, .001, .02} {
		logP := -8.0
		at := Theorem20At(logP, .05, 500, beta)
		if back := Theorem20GammaAt(at.LogP, .05, 500, beta); !closeTo(back.LogP, logP, 1e-12) {
			t.Errorf("β = %g: γ(p_corr(p)) = %.15g, want %g", beta, back.LogP, logP)
		}
		if best := Theorem20(logP, .05, 500); best.LogP > at.LogP {
			t.Errorf("best β gives %g, worse than %g at β = %g", best.LogP, at.LogP, beta)
		}
	}
}

func TestFixedBetaSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, r := range []struct {
		eps        float64
		n          int64
		beta, nats float64
	}{
		{0, 10, .1, 0},
		{.5, 0, .1, 0},
		{inf, 10, .1, inf},
		{.5, 10, 0, inf},
		{-1, 10, .1, nan},
		{.5, -1, .1, nan},
		{.5, 10, 2, nan},
		{nan, 10, .1, nan},
		{.5, 10, nan, nan},
	} {
		nats, bits := MaxInformation(r.eps, r.n, r.beta)
		if !same(nats, r.nats) || !same(bits, r.nats) {
			t.Errorf("MaxInformation(%g, %d, %g) = %g, %g, want %g", r.eps, r.n, r.beta, nats, bits, r.nats)
		}
	}
	for _, r := range []struct{ logP, eps, beta, corrected, gamma float64 }{
		{0, .1, .01, 0, math.Log(.99) - informationAt(.1, 10, math.Log(.01))},
		{-5, inf, .01, 0, -inf},
		{-5, .1, .5, math.Log(.5 + math.Exp(informationAt(.1, 10, math.Log(.5))-5)), -inf},
		{1, .1, .01, nan, nan},
		{nan, .1, .01, nan, nan},
		{-5, -1, .01, nan, nan},
	} {
		if got := Theorem20At(r.logP, r.eps, 10, r.beta).LogP; !same(got, r.corrected) && !closeTo(got, r.corrected, 1e-14) {
			t.Errorf("Theorem20At(%g, %g, 10, %g) = %g, want %g", r.logP, r.eps, r.beta, got, r.corrected)
		}
		if got := Theorem20GammaAt(r.logP, r.eps, 10, r.beta).LogP; !same(got, r.gamma) && !closeTo(got, r.gamma, 1e-14) {
			t.Errorf("Theorem20GammaAt(%g, %g, 10, %g) = %g, want %g", r.logP, r.eps, r.beta, got, r.gamma)
		}
	}
}
