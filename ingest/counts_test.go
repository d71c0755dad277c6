package ingest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

func TestCountsOrder(t *testing.T) {
	c := counts{budget: pages.NewBudget(1 << 20)}
	for _, cell := range []tally{{1, 2, reasonMissing}, {1, 3, reasonClipped}, {1, 2, reasonMissing}, {0, 9, reasonClipped}, {1, 1, reasonClipped}} {
		c.add(cell.reason, cell.experiment, cell.arm)
	}
	want := [][]schemas.ArmCount{
		{{Reason: "reward clipped to range", Arm: 9, Rows: 1}},
		{{Reason: "reward clipped to range", Arm: 1, Rows: 1}, {Reason: "reward clipped to range", Arm: 3, Rows: 1}, {Reason: "reward missing", Arm: 2, Rows: 2}},
		{},
	}
	got := [][]schemas.ArmCount{{}, {}, {}}
	c.each(func(experiment int32, rows schemas.ArmCount) { got[experiment] = append(got[experiment], rows) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if used := c.budget.Used(); used != 4*tallyBytes {
		t.Errorf("%d bytes are booked for 4 cells", used)
	}
}

// Rows with a fault are not counted: nothing will be written.
func TestCountsOfFaults(t *testing.T) {
	var c counts
	c.add(reasonMissing, -1, 0)
	c.add(reasonMissing, 0, -1)
	if c.full != nil || len(c.tallies) > 0 {
		t.Errorf("got %v, %v", c.tallies, c.full)
	}
}

func TestCountsMemory(t *testing.T) {
	c := counts{budget: pages.NewBudget(2 * tallyBytes)}
	for _, arm := range []int32{0, 1, 0} { // a cell that is known takes no memory
		if c.add(reasonMissing, 0, arm); c.full != nil {
			t.Fatal(c.full)
		}
	}
	if c.add(reasonMissing, 0, 2); !errors.Is(c.full, fault.ErrResource) {
		t.Errorf("got %v", c.full)
	}
}

// What the counts cannot hold ends the run, and is said once.
func TestRewardCountsMemory(t *testing.T) {
	p := bare()
	p.Reward.OutOfRange, p.Log.MissingReward = schemas.OutOfRangeClip, schemas.MissingExclude
	for _, rewards := range []given{flatOf(role.Reward, []float64{2, 2, 2}), flatOf(role.Reward, []float64{0, 0, 0}, 0, 1, 2), rewardsOf([]float64{2, 2, 2}, nil, nil)} {
		try := newAttempt(p, abc(), chosen(0, 1, 2), rewards)
		try.convert.counts.budget = pages.NewBudget(tallyBytes)
		_, err := try.convert.block(&try.rows)
		if !errors.Is(err, fault.ErrResource) || strings.Count(err.Error(), "raise --max-memory") != 1 {
			t.Errorf("got %v", err)
		}
	}
}
