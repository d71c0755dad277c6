package analyze

import (
	"strings"

	"banditaudit/analyze/check"
	"banditaudit/schemas"
)

// warnChecks puts at the head of the warnings what checks found that bears on
// numbers of this experiment and is in no claim: regressions can have many more.
func (a *analysis) warnChecks() {
	others := a.warnings
	a.warnings = nil
	if a.contradicted() && a.weightable() {
		a.warn("H05 contradicts the logged propensities: ipw_mean and the ipw estimates rest on them and are not to be relied on")
	}
	for _, c := range check.Notes(a.checks) {
		a.warn(strings.TrimSpace("note " + c.ID + ", " + c.Title + ": " + c.Observed + ". " + c.Detail))
	}
	a.warnings = append(a.warnings, others...)
}

// contradicted reports whether check H05 rejects the logged propensities.
func (a *analysis) contradicted() bool {
	c := check.Find(a.checks, "H05")
	return c != nil && c.Status == schemas.CheckFail
}

// warnCarried names the declared columns that are in the tableau and that
// neither a number nor the replay has used.
func (a *analysis) warnCarried() {
	s := a.Slice.Schema()
	replayed := a.Replay != nil && a.Replay.Conformance.Mode != schemas.ModeNone
	learned := replayed && a.Mechanism != nil && a.Mechanism.ReadsRewards()
	carried := func(declared bool, name, why string) {
		if declared {
			a.warn("log." + name + " is carried into the tableau; " + why)
		}
	}
	carried(s.RewardRound && !learned, "reward_order", "only the replay of a policy that learns from rewards uses it, and there was none")
	carried(s.RewardByArm, "reward_by_arm", "this version analyses the reward of the logged arm and uses those of the other arms nowhere")
	carried(s.ReleasedByArm > 0 && (a.Replay == nil || a.Replay.Conformance.Released == nil), "released_by_arm", "only the replay of a policy that reads released values uses it, and there was none")
	carried(s.Eligible && !s.Propensity && !replayed, "eligible", "without logged propensities only the replay of a policy uses it, and there was none")
}
