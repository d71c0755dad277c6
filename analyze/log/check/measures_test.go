package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// measured are the measures of a check as lines: name, arm, what was observed, what it is
// held against, unit.
func measured(c schemas.Check) []string {
	number := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprintf("%.4g", *x)
	}
	var out []string
	for _, m := range c.Measures {
		name := m.Name
		if m.Arm != nil {
			name += fmt.Sprintf(" of %d (%s)", *m.Arm, m.Label)
		}
		out = append(out, fmt.Sprintf("%s: %s, %s %s", name, number(m.Observed), number(m.Expected), m.Unit))
	}
	return out
}

// What a check says in words stands as numbers beside it, the one that it goes by first.
func TestMeasures(t *testing.T) {
	f := good()
	f.Propensities = evenly(t, 1000, 0.5)
	f.Gaps, f.Horizon, f.Units, f.Batches = 4, 1200, &Units{Pairs: 9, Several: 2, Count: 5, Largest: 7}, true
	f.Counts = []schemas.ArmCount{{Reason: schemas.ReasonClipped, Arm: 0, Rows: 3}, {Reason: schemas.ReasonClipped, Arm: 1, Rows: 4}}
	f.Missing = []int64{4, 0}
	f.Regressions = []schemas.Regression{{ConditionNumber: new(12.5), Dropped: []string{"x1"}}}
	f.Propensities.Cadence = &ChangeSchedule{Rows: 1000, Pairs: 90, Changed: 9, Distinct: 10, Grid: allocationtest.Grid{Period: 299.996}, Timed: true}
	for _, c := range []struct {
		check Check
		want  []string
	}{
		{logSchema(), []string{"columns: 5, - columns", "files: 3, - files"}},
		{orderTies(), []string{"ties: 0, 0 rows"}},
		{rewardsRange(), []string{"rewards_missing: 0, - rows", "rewards_clipped: 7, - rows", "eligible_null: 0, - rows", "reward_order_null: 0, - rows"}},
		{allocationRatio(), []string{"largest_pulls_deviation of 0 (a): 0, 0 per cent", "plays of 0 (a): 500, 500 rounds"}},
		{unitsOneArm(), []string{"unit_batches_in_several_arms: 2, 0 pairs", "unit_batches_with_several_rows: 9, - pairs", "units: 5, - units", "largest_unit: 7, - rows"}},
		{armsUnplayed(), []string{"arms_never_played: 0, 0 arms"}},
		{orderGaps(), []string{"gaps: 4, 0 rows", "rounds: 1000, 1200 rounds"}},
		{propensitySchedule(), []string{"change_period: 300, - seconds", "pairs_with_a_change: 9, - pairs", "pairs: 90, - pairs", "different_propensities: 10, - propensities"}},
		{rewardsMissing(), []string{"rewards_missing: 4, - rows", "share_missing of 0 (a): 0.01, - share of pulls", "share_missing of 1 (b): 0, - share of pulls"}},
		{driftMeans(), []string{"arms_whose_mean_moves: 0, 0 arms"}},
		{weightsESS(), []string{"effective_sample_size: 1000, - rows", "effective_sample_share: 1, - share of rows", "mean_inverse_propensity: 2, 2 arms", "largest_weight: 2, - weight", "rows_exactly_uniform: 1000, - rows"}},
		{regressionRank(), []string{"designs_rank_deficient: 1, 0 designs", "largest_condition_number: 12.5, 1000 ratio"}},
	} {
		if diff := cmp.Diff(c.want, measured(c.check.on(f))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.check.ID, diff)
		}
	}
	f.Propensities.ByArm = &ByArm{Farthest: 0.25, OffSum: 3}
	if got := measured(propensityValid().on(f)); !slices.Contains(got, "propensity_sum_deviation: 0.25, 0 probability") || !slices.Contains(got, "propensity_sums_off: 3, 0 rows") {
		t.Errorf("H04: %q", got)
	}
	if got := measured(allocationSubgroups().on(split2(0, true))); !slices.Equal(got, []string{"largest_average_log_wager: 0, 7.601 nats"}) { // ln 2000
		t.Errorf("H17: %q", got)
	}
}
