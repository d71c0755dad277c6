package regress

import (
	"math"
	"testing"
)

// Covariates and rewards near 10⁶ and 10⁹ change no slope, no error of one, no
// leverage and no residual, refitted or not: offsets are exact here.
func TestFarFromZero(t *testing.T) {
	near := random(81, 500, 3)
	for _, col := range append([][]float64{near.y}, near.x...) {
		for i, v := range col {
			col[i] = math.Round(v*1024) / 1024
		}
	}
	base := near.fit(true)
	for _, offset := range []float64{1e6, -1e9} {
		far := dataset{names: near.names, x: make([][]float64, 3), y: make([]float64, 500)}
		for i := range far.y {
			far.y[i] = near.y[i] - 2*offset
		}
		for j := range far.x {
			far.x[j] = make([]float64, 500)
			for i, v := range near.x[j] {
				far.x[j][i] = v + offset*float64(j-1)
			}
		}
		first := far.fit(true)
		if first.LosesDigits() {
			t.Errorf("offset %g: asks for a refit", offset)
		}
		for _, m := range []*Model{first, far.refit(t, first)} {
			if digits(m.RSS, base.RSS) < 11 || digits(m.RSquared, base.RSquared) < 11 || digits(m.LogFP, base.LogFP) < 11 {
				t.Errorf("offset %g: RSS %.15g, R² %.15g, want %.15g, %.15g", offset, m.RSS, m.RSquared, base.RSS, base.RSquared)
			}
			for _, kind := range kinds {
				got, want := far.robust(t, m, kind), near.robust(t, base, kind)
				if kind != Classical && digits(got.MaxLeverage, want.MaxLeverage) < 9 {
					t.Errorf("offset %g, %s: leverage %.15g, want %.15g", offset, kind, got.MaxLeverage, want.MaxLeverage)
				}
				for j, c := range want.Coefficients[1:] {
					if g := got.Coefficients[j+1]; digits(g.Estimate, c.Estimate) < 11 || digits(g.StdErr, c.StdErr) < 9 {
						t.Errorf("offset %g, %s, %s: %.15g ± %.15g, want %.15g ± %.15g", offset, kind, c.Name, g.Estimate, g.StdErr, c.Estimate, c.StdErr)
					}
				}
			}
		}
	}
}
