package hypothesis

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/moments"
	"banditaudit/testdata/reference"
)

// pairOf reads rows of unit, arm (0 is A), reward, in the order of units.
func pairOf(rows [][]float64, offset, shift float64) moments.UnitPair {
	p := moments.UnitPair{A: moments.Units{Shift: shift}, B: moments.Units{Shift: shift}}
	for i := 0; i < len(rows); {
		var n [2]int64
		var s [2]float64
		unit := rows[i][0]
		for ; i < len(rows) && rows[i][0] == unit; i++ {
			arm := int(rows[i][1])
			n[arm]++
			s[arm] += rows[i][2] + offset - shift
		}
		p.Add(n[0], s[0], n[1], s[1])
	}
	return p
}

// R 4.2.2 with sandwich 3.0-2, vcovCL of lm, type HC0 with cadjust
// (testdata/reference/hypothesis2.R).
func TestClusteredR(t *testing.T) {
	rows := reference.Rows(t, "hypothesis2_r.csv", "row")
	for _, r := range reference.Rows(t, "hypothesis2_r.csv", "unit") {
		p := pairOf(rows, r[0], r[0])
		alt, level := Alternative(r[2]), math.Log(r[3])
		got := Clustered(p.A, 0.1+r[0], alt, level)
		if r[1] == 2 {
			got = ClusteredDifference(p, 0.1, alt, level)
		}
		// 0.1 + 10⁶ is off by 2e-11, half a unit in the last place.
		slack := 1 + r[0]
		if !near(got.Estimate, r[4], 1e-13) || !near(got.StdErr, r[5], 1e-13) || got.DF != r[6] || !near(got.Statistic, r[7], 1e-13+1e-15*slack) || !near(got.LogP, r[8], 1e-12+1e-15*slack) || !near(got.Lo, r[9], 1e-11) || !near(got.Hi, r[10], 1e-11) {
			t.Errorf("%v: %+v", r, got)
		}
		if got.Units != int64(got.DF)+1 || len(got.Warnings) != 1 || got.Exact {
			t.Errorf("%v: %+v", r, got)
		}
	}
}

// Where each unit has one row the mean's test is Student's, but for rounding,
// and the difference's error is that of the arms' own variances.
func TestClusteredRows(t *testing.T) {
	var p moments.UnitPair
	var a, b moments.Scalar
	for i := range 100 {
		y := float64(i*i%37) / 8
		if i%3 == 0 {
			p.Add(1, y, 0, 0)
			a.AddOne(y)
		} else {
			p.Add(0, 0, 1, y)
			b.AddOne(y)
		}
	}
	got, want := Clustered(p.A, 2, Greater, -4), Student(a, 2, Greater, -4)
	if !near(got.LogP, want.LogP, 1e-12) || !near(got.Lo, want.Lo, 1e-12) || got.DF != want.DF || len(got.Warnings) != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
	d := ClusteredDifference(p, 0, TwoSided, -4)
	if se := math.Sqrt(100.0 / 99 * (a.M2/34/34 + b.M2/66/66)); !near(d.StdErr, se, 1e-13) || d.DF != 99 || d.N != 100 || d.Units != 100 {
		t.Errorf("%+v, want a standard error of %g", d, se)
	}
}

func TestClusteredSpecial(t *testing.T) {
	for units := range int64(4) {
		var u moments.Units
		for i := range units {
			u.Add(2, float64(i))
		}
		got := Clustered(u, 0, TwoSided, -3)
		if math.IsNaN(got.LogP) != (units < 2) || math.IsNaN(got.Estimate) != (units == 0) || len(got.Warnings) != 1 || got.Units != units {
			t.Errorf("%d units: %+v", units, got)
		}
	}
	equal := moments.Units{Shift: 1e6 + 0.1}
	for n := range int64(40) {
		equal.Add(n+1, 0)
	}
	if got := Clustered(equal, 0, TwoSided, -3); got.StdErr != 0 || !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || len(got.Warnings) != 1 {
		t.Errorf("equal rewards: %+v", got)
	}
	var p moments.UnitPair
	if got := ClusteredDifference(p, 0, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.Estimate) || len(got.Warnings) != 1 {
		t.Errorf("no rows: %+v", got)
	}
	for i := range 50 {
		p.Add(2, float64(i), 0, 0)
	}
	p.Add(1, 2, 3, 4)
	// One unit in B: its own deviation is 0, which is not its variance.
	if got := ClusteredDifference(p, 0, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.StdErr) || math.IsNaN(got.Estimate) || len(got.Warnings) != 1 {
		t.Errorf("one unit in an arm: %+v", got)
	}
}

// Forty units of B that do not differ tell nothing of what units vary by.
func TestClusteredArmWithoutVariance(t *testing.T) {
	p := moments.UnitPair{}
	for i := range 40 {
		p.Add(2, float64(i%3), 3, 3)
	}
	if got := ClusteredDifference(p, 0, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || len(got.Warnings) != 1 || got.Estimate == 0 {
		t.Errorf("%+v", got)
	}
}
