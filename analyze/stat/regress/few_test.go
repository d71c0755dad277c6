package regress

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
)

// TestLevelOfFewRows is why a robust error needs five rows: among 200 rows of
// normal errors, the HC1 test at .05 of an indicator of m rows that has no
// effect rejects far more often. Seeds are fixed; 2,000 runs have a standard
// error of .01 at a rate of .3.
func TestLevelOfFewRows(t *testing.T) {
	const runs, n = 2000, 200
	rate := map[int]float64{}
	for _, m := range []int{3, 5, 60} {
		r := rand.New(rand.NewPCG(7, uint64(m)))
		for range runs {
			x, y := make([]float64, n), make([]float64, n)
			for i := range y {
				y[i] = r.NormFloat64()
				if i < m {
					x[i] = 1
				}
			}
			c := moments.NewCross(1)
			c.AddBlock([][]float64{x}, y, nil)
			s := sandwichOf(t, Fit(c, []string{"x"}, true), HC1)
			s.AddBlock([][]float64{x}, y, nil)
			table := s.formula()
			if table.Coefficients[1].Test(0, hypothesis.TwoSided, math.Log(.05)).LogP <= math.Log(.05) {
				rate[m] += 1. / runs
			}
		}
	}
	if t.Logf("rates %v", rate); rate[3] < .2 || rate[5] < .1 || rate[5] > rate[3] || rate[60] > .08 {
		t.Errorf("rates of rejection are %v", rate)
	}
}
