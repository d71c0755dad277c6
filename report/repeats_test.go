package report

import (
	"testing"

	"banditaudit/schemas"
)

// TestRepeats: what later rounds of units say stands beside the checks.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x    schemas.Repeats
		want string
	}{
		{
			schemas.Repeats{Later: 3600, Same: 1368, Expected: new(1370.4), Anew: &schemas.Anew{Level: .00025, LogE: 0, Least: new(13.6), Deficits: true}},
			"Units that come again: in 1,368 of 3,600 later rounds the arm is that of the unit's round before; by the logged propensities 1,370 would be, were every round drawn by itself. Every round is declared to be drawn anew: a wager on the arm of the unit's round before came to 1, and 4,000 convicts (H17); found in about three of four logs is a deviation of 13.6 % of the propensity.",
		},
		{
			schemas.Repeats{Later: 3600, Same: 3600, Anew: &schemas.Anew{Level: .00025, LogE: 700, Rejected: true, Deviation: new(102.5)}},
			"came to above 1e298, and 4,000 convicts (H17): 102.5 %, by what is said at the check. An arm that is played again too seldom is not looked for.",
		},
		{schemas.Repeats{Later: 1, Anew: &schemas.Anew{Level: .00025}}, "no deviation would be found."},
		{
			schemas.Repeats{Later: 3600, Same: 1800, Kept: &schemas.Kept{Rounds: 3600, Moved: 1800, First: new(int64(12))}},
			"In 3,600 of them nothing that is logged of the weights had changed since the unit's round before, and a unit is declared to keep its arm; in 1,800 it does not.",
		},
		{schemas.Repeats{Later: 3600, Kept: &schemas.Kept{}}, "there is no such later round."},
		{schemas.Repeats{Later: 3600, Same: 3600}, "in 3,600 of 3,600 later rounds the arm is that of the unit's round before."},
	} {
		r := openBandit()
		r.Experiments[0].Data.Repeats = &c.x
		contains(t, markdownOf(t, r), c.want)
	}
}

// The wager on recomputed propensities says that it was on the arm of the unit's round
// before too.
func TestWagerOnTheRoundBefore(t *testing.T) {
	t.Parallel()
	got := wager(&schemas.AllocationTest{Level: .001, P: .0001, Before: true, Later: 3600, Round: new(int64(70)), Rejected: true})
	if want := "p = 0.0001, the arm of the unit's round before, level 0.001 over all arms and the arm of the unit's round before (in 3,600 later rounds): reached in round 70"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
