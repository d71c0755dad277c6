package regress

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// nearlyCollinear is a log of two arms whose covariates differ by eps times noise, times a
// scale.
func nearlyCollinear(eps, scale float64) (arm []int32, x [][]float64, y []float64) {
	r := rand.New(rand.NewPCG(3, 1))
	x = [][]float64{nil, nil}
	for t := range 200 {
		v := r.NormFloat64()
		arm = append(arm, int32(t%2))
		x[0], x[1] = append(x[0], scale*v), append(x[1], scale*(v+eps*r.NormFloat64()))
		y = append(y, r.Float64())
	}
	return arm, x, y
}

func pooledOf(t *testing.T, arm []int32, x [][]float64, y []float64) *Model {
	t.Helper()
	byArm := []*moments.Cross{moments.NewCross(2), moments.NewCross(2)}
	if err := moments.AddByArm(byArm, arm, x, y); err != nil {
		t.Fatal(err)
	}
	m, err := FitPooled(byArm, Pooling{Names: []string{"x", "y"}, Labels: []string{"A", "B"}, Intercept: true, Interactions: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTrace: a second pass that lost its digits says so, and never gives a
// leverage above 1; where none are lost the leverages add up to the rank.
func TestTrace(t *testing.T) {
	for _, eps := range []float64{1, 1e-4, 1e-6, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11, 1e-12} {
		arm, x, y := nearlyCollinear(eps, 1)
		m := pooledOf(t, arm, x, y)
		s := sandwichOf(t, m, HC1)
		if err := s.AddPooled(arm, x, y); err != nil {
			t.Fatal(err)
		}
		table := s.Table()
		off := math.Abs(float64(s.trace)/float64(m.Rank) - 1)
		lost := strings.Contains(strings.Join(table.Warnings, "\n"), "do not add up to the rank")
		switch {
		case off > traceTolerance && (!lost || !math.IsNaN(table.MaxLeverage) || !math.IsNaN(table.Coefficients[1].StdErr)):
			t.Errorf("eps %g: leverages add up to %v of rank %d, and errors stand: %+v", eps, s.trace, m.Rank, table)
		case off <= traceTolerance && (lost || !(table.MaxLeverage <= 1+1e-4) || !(table.Coefficients[1].StdErr > 0)):
			t.Errorf("eps %g: leverages add up to %v of rank %d: %+v", eps, s.trace, m.Rank, table)
		case eps >= 1e-6 && lost || eps == 1e-10 && !lost && m.Rank == 6:
			t.Errorf("eps %g: lost is %v", eps, lost)
		}
	}
}

// TestScales: covariates of any size give numbers or NaN, and never a panic.
func TestScales(t *testing.T) {
	for _, scale := range []float64{5e-324, 1e-310, 1e-200, 1e-160, 1e-150, 1, 1e150, 1e154, 1e160, 1e200, 1e299, 1e307} {
		arm, x, y := nearlyCollinear(1, scale)
		m := pooledOf(t, arm, x, y)
		for _, kind := range []Kind{Classical, HC0, HC3} {
			s := sandwichOf(t, m, kind)
			if err := s.AddPooled(arm, x, y); err != nil {
				t.Fatal(err)
			}
			for _, c := range s.Table().Coefficients {
				if math.IsInf(c.Estimate, 0) || math.IsInf(c.StdErr, 0) {
					t.Errorf("scale %g, %s: %s is %v ± %v", scale, kind, c.Name, c.Estimate, c.StdErr)
				}
			}
		}
		if far := scale < 1e-160 && scale > 5e-324 || scale > 1e160; far && !strings.Contains(strings.Join(m.Warnings, ""), "rescale them") {
			t.Errorf("scale %g: dropped %v without a reason: %q", scale, m.Dropped, m.Warnings)
		}
		if m.LosesDigits() {
			r := NewRefit(m)
			if err := r.AddPooled(arm, x, y); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Model(); err != nil {
				t.Errorf("scale %g: %v", scale, err)
			}
		}
	}
}
