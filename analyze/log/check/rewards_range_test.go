package check

import (
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH03(t *testing.T) {
	expect(t, "nothing clipped", rewardsRange().on(good()), schemas.Check{ID: "H03", Status: schemas.CheckPass, Observed: "0 rows"})
	clipped := "The protocol declares out_of_range: clip; the mechanism must have clipped the same way before it saw the reward."
	missing := []schemas.ArmCount{{Reason: schemas.ReasonMissing, Arm: 0, Rows: 3}, {Reason: schemas.ReasonMissing, Arm: 1, Rows: 1}}
	for name, c := range map[string]struct {
		counts           []schemas.ArmCount
		rule             string
		all              bool
		observed, detail string
	}{
		"clipped": {[]schemas.ArmCount{{Reason: schemas.ReasonClipped, Arm: 1, Rows: 1}}, schemas.MissingError, false, "reward clipped to range: 1 row (b 1)", clipped},
		"missing": {
			missing, schemas.MissingExclude, false, "reward missing: 4 rows (a 3, b 1)",
			"The protocol declares missing_reward: exclude: rows without a reward stay in the action history and leave every estimate, which is then about the rewards that are known.",
		},
		"missing of all arms": {
			missing, schemas.MissingIndependent, true, "reward missing: 4 values (a 3, b 1)",
			"The protocol declares missing_reward: exclude-independent: rows without a reward stay in the action history and leave every estimate, and whether a reward is known is declared not to depend on it.",
		},
		"all arms": {
			[]schemas.ArmCount{{Reason: schemas.ReasonAll, Arm: 1, Rows: 2}},
			schemas.MissingError, true, "eligible null (all arms): 2 rows (b 2)",
			"A null in log.eligible is read as all arms: where fewer could be played, the list has to be written.",
		},
		"never known": {
			[]schemas.ArmCount{{Reason: schemas.ReasonNever, Arm: 0, Rows: 1}},
			schemas.MissingError, false, "reward_order null (never known): 1 row (a 1)",
			"A null in log.reward_order is read as a reward that the policy never came to know: where it did, the time has to be written.",
		},
	} {
		f := good()
		f.Counts, f.Rule, f.AllRewards = c.counts, c.rule, c.all
		expect(t, name, rewardsRange().on(f), schemas.Check{ID: "H03", Status: schemas.CheckPass, Observed: c.observed, Detail: c.detail})
	}
	f := good()
	f.Counts, f.Rule = slices.Concat(missing, []schemas.ArmCount{{Reason: schemas.ReasonClipped, Arm: 0, Rows: 2}}), schemas.MissingExclude
	if got := rewardsRange().on(f); got.Observed != "reward missing: 4 rows (a 3, b 1); reward clipped to range: 2 rows (a 2)" || !strings.HasSuffix(got.Detail, clipped) {
		t.Errorf("both: %+v", got)
	}
}
