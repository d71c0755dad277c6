package hypothesis

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// sizedUnits are units with rows of 0 and 1 in turn, so many units of each size.
func sizedUnits(sizes map[int64]int) moments.Units {
	var u moments.Units
	for size, many := range sizes {
		for i := range many {
			u.Add(size, float64(size*int64(i%2)))
		}
	}
	return u
}

// Of 9,999 units with a row and one with 10,000, the mean is about that one.
// Rejecting at 0.05 then happens with probability 0.84.
func TestDominatedUnits(t *testing.T) {
	for _, r := range []struct {
		name  string
		sizes map[int64]int
		p     bool
		warns string
	}{
		{"like sizes", map[int64]int{5: 60}, true, ""},
		{"not many of like size", map[int64]int{5: 40}, true, "40 units"},
		{"one of 10,000 rows", map[int64]int{1: 9999, 10000: 1}, false, "rests on about 4 units"},
		{"few of like size", map[int64]int{5: 8}, true, "8 units"},
		{"20 large ones", map[int64]int{1: 100, 500: 20}, true, "rests on about 20.4 units"},
		{"9 large ones", map[int64]int{1: 100, 500: 9}, false, "rests on about 9"},
	} {
		u := sizedUnits(r.sizes)
		pair := moments.UnitPair{}
		for range 50 {
			pair.B.Add(2, 0.5)
			pair.B.Add(2, 1.5)
		}
		pair.A, pair.Count = u, u.Count+pair.B.Count
		for _, got := range []Result{Clustered(u, 0.3, TwoSided, -3), ClusteredDifference(pair, 0.3, TwoSided, -3)} {
			if !math.IsNaN(got.LogP) != r.p || !math.IsNaN(got.Lo) != r.p || (r.warns == "") != (len(got.Warnings) == 0) || !strings.Contains(strings.Join(got.Warnings, ""), r.warns) {
				t.Errorf("%s: %+v", r.name, got)
			}
			if !strings.Contains(got.Assumes, "none of them dominates") {
				t.Errorf("%s: %s", r.name, got.Assumes)
			}
		}
	}
}

// Where the units of an arm do not differ there is no test of the difference:
// all the variance would be the other arm's.
func TestEqualUnitsOfOneArm(t *testing.T) {
	var p moments.UnitPair
	for i := range 40 {
		p.Add(3, float64(i%4), 2, 0)
	}
	for _, got := range []Result{ClusteredDifference(p, 0.3, TwoSided, -3), ClusteredDifference(moments.UnitPair{A: p.B, B: p.A, Count: 40}, 0.3, TwoSided, -3)} {
		if !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "units of an arm do not differ") {
			t.Errorf("%+v", got)
		}
	}
}
