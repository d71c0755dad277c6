package report

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas"
)

// TestGroupedLevels: few levels stand as they are; many become at most so many
// groups as fit, of one arm each, which keep every row and the largest cost.
func TestGroupedLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var levels []schemas.CostLevel
		arms := rapid.IntRange(0, 30).Draw(t, "arms")
		rows, largest := map[string]int64{}, map[string]float64{}
		for arm := range arms {
			name := strconv.Itoa(arm)
			for k := range rapid.IntRange(1, 60).Draw(t, "levels") {
				levels = append(levels, schemas.CostLevel{Arm: name, Cost: schemas.Extended(k), Rows: int64(k + 1)})
				rows[name] += int64(k + 1)
				largest[name] = float64(k)
			}
		}
		got := grouped(levels, maxLevels)
		if len(levels) <= maxLevels && len(got) != len(levels) || len(got) > max(maxLevels, arms) {
			t.Fatalf("%d lines of %d levels of %d arms", len(got), len(levels), arms)
		}
		for i, g := range got {
			rows[g.arm] -= g.rows
			if levels[g.last].Arm != g.arm || float64(levels[g.last].Cost) != g.cost {
				t.Errorf("group %d: %+v points at %+v", i, g, levels[g.last])
			}
			if (i+1 == len(got) || got[i+1].arm != g.arm) && g.cost != largest[g.arm] {
				t.Errorf("arm %s ends at %g, want %g", g.arm, g.cost, largest[g.arm])
			}
		}
		for arm, left := range rows {
			if left != 0 {
				t.Errorf("arm %s: %d rows are missing", arm, left)
			}
		}
	})
}
