package allocation

import (
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// ByDeclared reports whether check H17 goes by the probabilities that the policy
// declares, and what it finds is of policy.conformance: the policy reads no rewards, its
// arms are declared, no propensity is logged, and a replay found nothing else that
// actions could be held against, of which level the pulls then keep the other half, or
// it went by a seed. A seed gives the actions and not the rounds: where they were
// numbered, chosen or dropped after the draw, arms can follow anything.
func ByDeclared(in *publiclog.Log) bool {
	if in.Slice.HasPropensity() || in.Replay == nil || !in.DeclaredLaw() {
		return false
	}
	mode := in.Replay.Conformance.Mode
	return mode == schemas.ModeNone || mode == schemas.ModeSeed
}

// BySeed reports whether the actions of an experiment were held against a seed.
func BySeed(in *publiclog.Log) bool {
	return in.Replay != nil && in.Replay.Conformance.Mode == schemas.ModeSeed
}

// Recomputed reports whether check H17 goes by the probabilities of a declared policy
// that reads no rewards where the logged ones are shares of draws from them, and the
// action was drawn by one more: what it finds is of allocation.matches_propensity.
func Recomputed(in *publiclog.Log) bool { return publiclog.OneMore(in.Protocol) && in.DeclaredLaw() }

// AtDeclared reports whether check H17 wagers at declared probabilities, and not at
// logged propensities.
func AtDeclared(in *publiclog.Log) bool { return ByDeclared(in) || Recomputed(in) }

// allKnown reports whether the probabilities of all arms are known in every round.
func allKnown(in *publiclog.Log) bool {
	return in.Slice.Schema().PropensityByArm || AtDeclared(in) || in.Recomputable()
}

// splitColumns lists the columns that check H17 reads beside rewards.
func splitColumns(in *publiclog.Log) []string {
	if AtDeclared(in) || in.Recomputable() {
		return []string{tableau.Arm}
	}
	return []string{tableau.Arm, tableau.Propensity}
}

// PullsLevel returns the level, in one experiment, of the test that compares pulls with what a
// policy declares of its probabilities.
func PullsLevel(in *publiclog.Log) float64 {
	if ByDeclared(in) {
		return in.Whole().AllocationLevel()
	}
	return in.Whole().CommonLevel()
}

// DeclaredSplitWords say that check H17 holds the arms against the declared
// probabilities, or H05 and H17 against recomputed propensities; "" where it was not run so.
func (al *Allocation) DeclaredSplitWords() string {
	if al.Splits == nil || !al.Splits.Declared && !al.Splits.Replayed || al.Splits.Shares || al.Splits.Why != "" {
		return ""
	}
	if al.Splits.Replayed {
		return fmt.Sprintf("; arms against the recomputed propensities over all rounds and in batches (check H05), level %g, and in rounds that something known before them picks out (check H17), level %g", allocationtest.AllocationLevel/2, allocationtest.SplitsLevel)
	}
	return fmt.Sprintf("; arms against the declared probabilities in rounds that something known before them picks out (check H17), level %g", allocationtest.SplitsLevel)
}
