package allocationtest

import (
	"testing"
)

// For R = [[1, ρ], [ρ, 1]] the eigenvectors are (1, ±1)/√2 with 1 ± ρ.
func TestGeneralizedForm(t *testing.T) {
	r := func(rho float64) []float64 { return []float64{1, rho, rho, 1} }
	for _, c := range []struct {
		rho, cut, want float64
		df             int
	}{
		{0, 0.1, 5, 2},
		{0.5, 0.1, 9.0/2/1.5 + 1.0/2/0.5, 2},
		{-1, 0.1, 1.0 / 2 / 2, 1}, // singular: the direction (1, 1) is left out
		{-1.2, 0.1, 1.0 / 4.4, 1}, // and so is one with a negative eigenvalue
		{-0.8, 0.5, 1.0 / 3.6, 1}, // and one that is not resolved
		{0, 2, 0, 0},              // nothing is
	} {
		got, df := generalizedForm([]float64{1, 2}, r(c.rho), c.cut)
		if df != c.df || !near(got, c.want, 1e-14) {
			t.Errorf("ρ = %g, cut %g: %g with %d degrees of freedom, want %g with %d", c.rho, c.cut, got, df, c.want, c.df)
		}
	}
}
