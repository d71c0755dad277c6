package ledger

import (
	"math"
	"testing"
)

// ρ of discrete Laplace noise at ε = 1 and sensitivities of 1, 2 and 8 lattice
// points, and of continuous noise (h → 0) at four ε; Python 3 with mpmath.
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
