package analyze

import (
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// warnings are what a stage has to say beside its numbers, each once, in the
// order in which they were met.
type warnings []string

func (w *warnings) warn(texts ...string) {
	for _, text := range texts {
		if !slices.Contains(*w, text) {
			*w = append(*w, text)
		}
	}
}

// joinedWarnings are the warnings of several stages, one stage after another.
func joinedWarnings(stages ...warnings) []string {
	out := warnings{}
	out.warn(slices.Concat(stages...)...)
	return out
}

// warnCarried names the declared columns that are in the tableau and that
// neither a number nor the replay has used.
func warnCarried(in *publiclog.Log) warnings {
	var out warnings
	s := in.Slice.Schema()
	replayed := in.Replay != nil && in.Replay.Conformance.Mode != schemas.ModeNone
	learned := replayed && in.Mechanism != nil && in.Mechanism.ReadsRewards()
	carried := func(declared bool, name, why string) {
		if declared {
			out.warn("log." + name + " is carried into the tableau; " + why)
		}
	}
	carried(s.RewardRound && in.Protocol.Log.RewardOrder != "" && !learned, schemas.KeyRewardOrder, "only the replay of a policy that learns from rewards uses it, and there was none")
	carried(s.RewardByArm, schemas.KeyRewardByArm, "this version analyses the reward of the logged arm and uses those of the other arms nowhere")
	carried(s.ReleasedByArm > 0 && (in.Replay == nil || in.Replay.Conformance.Released == nil), schemas.KeyReleasedByArm, "only the replay of a policy that reads released values uses it, and there was none")
	carried(s.ScoreByArm && (!replayed || in.Mechanism == nil || !in.Mechanism.Scored()), schemas.KeyScoreByArm, "only the replay of a policy that chooses by scores uses it, and there was none")
	carried(s.Draws && (in.Replay == nil || in.Replay.Conformance.Propensities == nil), schemas.KeyPropensityDraws, "only the comparison of logged propensities with those of a policy uses it, and there was none")
	carried(s.Eligible && !s.Propensity && !replayed && !in.DeclaredLaw(), schemas.KeyEligible, "without logged propensities only the replay of a policy uses it, and there was none")
	return out
}
