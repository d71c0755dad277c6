package ledger

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// ρ of discrete Laplace noise at ε = 1 and sensitivities of 1, 2 and 8 lattice
// points, and of continuous noise (h → 0) at four ε; mpmath 1.3.0, Python 3.11:
//
//	from mpmath import *
//	print([nstr(1 - h/sinh(h)*(1-exp(-1)), 6) for h in (mpf(1), mpf(1)/2, mpf(1)/8)])
//	print([nstr(e - 1 + exp(-e), 12) for e in (mpf('.1'), mpf('.5'), mpf(1), mpf(2))])
func TestLaplaceRho(t *testing.T) {
	for _, tt := range []struct{ epsilon, h, want float64 }{
		{1, 1, .462117},
		{1, 1. / 2, .393469},
		{1, 1. / 8, .369523},
		{0.1, 1e-9, .004837418036},
		{0.5, 1e-9, .106530659713},
		{1, 1e-9, .367879441171},
		{2, 1e-9, 1.135335283237},
		{0, 1, 0},
	} {
		if got := LaplaceRho(tt.epsilon, tt.h); math.Abs(got-tt.want) > 6e-7*math.Max(tt.want, 1e-3) && math.Abs(got-tt.want) > 5e-7 {
			t.Errorf("ε = %v, h = %v: ρ = %.12f, want %v", tt.epsilon, tt.h, got, tt.want)
		}
	}
}

// 44 values with 60 digits, mpmath 1.3.0: cd testdata/reference && python3
// counters.py. ρ is rounded up, by less than three parts in 10¹², and stays
// between the continuous ε − 1 + e^{−ε} and ε·tanh(ε/2).
func TestLaplaceRhoIsTheReferenceRoundedUp(t *testing.T) {
	for _, row := range reference.Rows(t, "counters.csv", "rho") {
		epsilon, h, want := row[0], row[1], row[2]
		if got := LaplaceRho(epsilon, h); got < want || got > want*(1+3e-12) {
			t.Errorf("ε = %v, h = %v: ρ = %.17g, want %.17g rounded up", epsilon, h, got, want)
		}
		if got := LaplaceRho(epsilon, h); got > epsilon*math.Tanh(epsilon/2)*(1+2e-12) {
			t.Errorf("ε = %v, h = %v: ρ = %v is above ε·tanh(ε/2)", epsilon, h, got)
		}
	}
}

// ρ grows with ε and with h, and two coordinates cost at most what the sum of
// their losses does in one.
func TestLaplaceRhoGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Float64Range(1e-9, 3).Draw(t, "h")
		a := h * float64(rapid.Int64Range(1, 1<<20).Draw(t, "a"))
		b := h * float64(rapid.Int64Range(1, 1<<20).Draw(t, "b"))
		const slack = 1 + 2e-12
		if LaplaceRho(a, h)+LaplaceRho(b, h) > LaplaceRho(a+b, h)*slack {
			t.Fatalf("ρ(%v) + ρ(%v) is above ρ of the sum at h = %v", a, b, h)
		}
		if LaplaceRho(a, h/2) > LaplaceRho(a, h)*slack {
			t.Fatalf("ρ(%v) falls as h grows from %v", a, h/2)
		}
	})
}
