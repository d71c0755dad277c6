package report

import (
	"testing"

	"banditaudit/schemas"
)

// The wager on recomputed propensities says that it was on the arm of the unit's round
// before too.
func TestWagerOnTheRoundBefore(t *testing.T) {
	t.Parallel()
	got := wager(&schemas.AllocationTest{Level: .001, P: .0001, Before: true, Later: 3600, Round: new(int64(70)), Rejected: true})
	if want := "p = 0.0001, the arm of the unit's round before, level 0.001 over all arms and the arm of the unit's round before (in 3,600 later rounds): reached in round 70"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
