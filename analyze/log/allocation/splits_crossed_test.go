package allocation

import (
	"fmt"
	"slices"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/schemas"
)

// TestCross: a crossing gives every pair of groups a cell with its own words, and none
// where one of the two has none.
func TestCross(t *testing.T) {
	t.Parallel()
	number := factor{"x", 0, []string{"low", "high"}, func(cell uint8) uint8 { return cell / 4 }}
	word := factor{"w", 1, []string{"r", "g", "b"}, func(cell uint8) uint8 { return cell }}
	p := cross(&number, &word)
	if p.count() != 6 || p.Name != "x and w together" {
		t.Errorf("%d cells of %s", p.count(), p.Name)
	}
	got := p.crossed.cells([][]uint8{{0, 3, 4, 7, subgroups.NoCell, 0}, {0, 1, 2, 0, 1, subgroups.NoCell}}, nil)
	if want := []uint8{0, 1, 5, 3, subgroups.NoCell, subgroups.NoCell}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if p.rounds[5] != "high and b" || p.rounds[1] != "low and g" {
		t.Errorf("%v", p.rounds)
	}
}

// TestFactors: crossed are the previous action and the first four contexts.
func TestFactors(t *testing.T) {
	t.Parallel()
	in := &publiclog.Log{Manifest: &schemas.Manifest{Arms: []string{"a", "b"}}}
	looked := []partition{{}}
	for i := range 6 {
		p := numberPartition(fmt.Sprint("x", i), nil)
		looked = append(looked, p)
	}
	looked = append(looked, partition{Cells: check.Cells{Name: "no factor"}})
	got := factors(in, looked)
	if len(got) != 1+maxCrossed || got[1].name != "x0 against its median" || got[4].place != 4 {
		t.Errorf("%+v", got)
	}
}
