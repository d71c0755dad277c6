package analyze

import (
	"fmt"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// byDeclared reports whether check H17 goes by the probabilities that the policy
// declares, and what it finds is of policy.conformance: the policy reads no rewards, its
// arms are declared, no propensity is logged, and a replay found nothing else that
// actions could be held against, of which level the pulls then keep the other half, or
// it went by a seed. A seed gives the actions and not the rounds: where they were
// numbered, chosen or dropped after the draw, arms can follow anything.
func (in *Log) byDeclared() bool {
	if in.Slice.HasPropensity() || in.Replay == nil || !in.declaredLaw() {
		return false
	}
	mode := in.Replay.Conformance.Mode
	return mode == schemas.ModeNone || mode == schemas.ModeSeed
}

// bySeed reports whether the actions of an experiment were held against a seed.
func (in *Log) bySeed() bool {
	return in.Replay != nil && in.Replay.Conformance.Mode == schemas.ModeSeed
}

// recomputed reports whether check H17 goes by the probabilities of a declared policy
// that reads no rewards where the logged ones are shares of draws from them, and the
// action was drawn by one more: what it finds is of allocation.matches_propensity.
func (in *Log) recomputed() bool { return oneMore(in.Protocol) && in.declaredLaw() }

// atDeclared reports whether check H17 wagers at declared probabilities, and not at
// logged propensities.
func (in *Log) atDeclared() bool { return in.byDeclared() || in.recomputed() }

// allKnown reports whether the probabilities of all arms are known in every round.
func (in *Log) allKnown() bool { return in.Slice.Schema().PropensityByArm || in.atDeclared() }

// splitColumns are those that check H17 reads beside rewards.
func (in *Log) splitColumns() []string {
	if in.atDeclared() {
		return []string{"arm"}
	}
	return []string{"arm", "propensity"}
}

// pullsLevel is that of pulls against what a policy declares of its probabilities.
func (in *Log) pullsLevel() float64 {
	if in.byDeclared() {
		return allocationLevel(in.Manifest)
	}
	return commonLevel(in.Manifest)
}

// declaredSplitWords say that check H17 holds the arms against the declared
// probabilities; "" where it was not run so.
func (al *allocation) declaredSplitWords() string {
	if al.splits == nil || !al.splits.Declared || al.splits.Shares || al.splits.Why != "" {
		return ""
	}
	return fmt.Sprintf("; arms against the declared probabilities in rounds that something known before them picks out (check H17), level %g", adaptive.SplitsLevel)
}
