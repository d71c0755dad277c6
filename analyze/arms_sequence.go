package analyze

import (
	"math"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/facts"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/means"
	"banditaudit/analyze/rewards"
	"banditaudit/schemas"
)

// armSequence is the confidence sequence of an arm's mean, at a level at which those
// of all arms hold at once: of fixed bets, which hold for what was to be expected of
// each round given everything before it, or on request of the normal mixture or of the
// beta-binomial one. Whether there is one is said by [sample.againstSequence].
func (s *sample) armSequence(arm int) *schemas.Interval {
	x := s.Scalar[arm]
	switch s.Protocol.Analysis.Sequence {
	case schemas.SequenceNormal:
		return s.Clip(adaptive.ConfidenceSequence(x.N, x.Mean, sequence(s.Log)))
	case schemas.SequenceBetaBinomial:
		return s.Clip(adaptive.BetaBinomialSequence(x.N, x.Mean, sequence(s.Log)))
	}
	r, _ := s.BetsOn(arm, means.Null{Value: x.Mean, Alternative: hypothesis.TwoSided, LogAlpha: facts.LogAlpha(s.Protocol) - math.Log(float64(s.K()))})
	return s.Clip(r.Lo, r.Hi)
}

// sequenceOf fills in the confidence sequence of an arm, or says why it has none; where
// that holds of every arm, [armFindings.warnUnits] says it.
func (a *armFindings) sequenceOf(rec *schemas.Arm, arm int) {
	why := a.againstSequence(arm)
	if why == "" {
		if rec.ConfidenceSequence = a.armSequence(arm); rec.ConfidenceSequence == nil && a.IsRunning(arm) {
			why = rewards.NoMeanFits
		}
	}
	if why != "" && !facts.Repeated(a.Slice) {
		a.warn("arm " + schemas.Named(rec.Label) + ": confidence_sequence is NOT APPLICABLE: " + why)
	}
}

// sequence is a mixture of all declared arms.
func sequence(in *facts.Log) adaptive.Sequence {
	r := in.Protocol.Reward.Range
	return adaptive.Sequence{Lo: r[0], Hi: r[1], K: in.K(), LogAlpha: facts.LogAlpha(in.Protocol)}
}

// againstSequence is why an arm with rewards has no confidence sequence of the kind that
// is asked for; "" where it has. Fixed bets have one of every arm. A mixture has no form
// for units that own several rows, and the beta-binomial one needs one mean in all rounds
// that played the arm: [adaptive.BetaBinomialSequence].
func (s *sample) againstSequence(arm int) string {
	const instead = "; write analysis.sequence: bets, which needs nothing of it"
	kind := s.Protocol.Analysis.Sequence
	switch moving := s.Moving([]int{arm}); {
	case kind == schemas.SequenceBets:
		return ""
	case facts.Repeated(s.Slice):
		return sequenceByUnit
	case kind == schemas.SequenceNormal:
		return ""
	case moving != nil:
		return "the beta-binomial mixture needs one mean in all rounds of the arm (analysis.means: constant), and it moves (check H13: " + moving[0] + ")" + instead
	case s.Missing[arm] > 0 && s.Protocol.Log.MissingReward == schemas.MissingExclude:
		return "the beta-binomial mixture needs one mean in all rounds of the arm, and " + rows(s.Missing[arm]) + " of it whose reward is missing may be missing because of it (missing_reward: exclude)" + instead
	}
	return ""
}
