package regress

import (
	"math"
	"strings"
	"testing"
)

// The joint test of all slopes with classical errors is the F test of the fit.
func TestSlopesAreF(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		m := random(31, 80, 4).fit(intercept)
		table := m.Classical()
		got := table.Slopes()
		if digits(got.Statistic, m.F) < 11 || digits(got.LogP, m.LogFP) < 11 {
			t.Errorf("F %.15g, ln p %.15g; of the fit %.15g, %.15g", got.Statistic, got.LogP, m.F, m.LogFP)
		}
	}
}

// One coefficient: F is t², p that of the two-sided t test.
func TestJointOfOne(t *testing.T) {
	d := random(32, 60, 3)
	table := d.robust(t, d.fit(true), HC3)
	got, err := table.Joint([]string{"b"}, []float64{0.4})
	if err != nil {
		t.Fatal(err)
	}
	want := table.Coefficients[2].Test(0.4, 0, -3)
	if digits(got.Statistic, want.Statistic*want.Statistic) < 11 || digits(got.LogP, want.LogP) < 11 {
		t.Errorf("F %g, ln p %g; t² %g, ln p %g", got.Statistic, got.LogP, want.Statistic*want.Statistic, want.LogP)
	}
}

func TestJointRefuses(t *testing.T) {
	d := random(33, 60, 2)
	d.x, d.names = append(d.x, d.x[0]), append(d.names, "copy")
	table := d.fit(true).Classical()
	for _, names := range [][]string{{"copy"}, {"nobody"}, {"a", "a"}} {
		if _, err := table.Joint(names, make([]float64, len(names))); err == nil || !strings.Contains(err.Error(), names[0]) {
			t.Errorf("%q: %v", names, err)
		}
	}
	few := random(34, 3, 2).fit(true).Classical()
	if got, err := few.Joint([]string{"a", "b"}, []float64{0, 0}); err != nil || !math.IsNaN(got.LogP) || len(got.Warnings) == 0 {
		t.Errorf("without degrees of freedom: %+v, %v", got, err)
	}
}
