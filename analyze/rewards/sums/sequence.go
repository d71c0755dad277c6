package rewards

import (
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
)

// Sequence is the confidence sequence of an arm's mean, at a level at which those
// of all arms hold at once: of fixed bets, which hold for what was to be expected of
// each round given everything before it, or on request of the normal mixture or of the
// beta-binomial one. Whether there is one is said by [Sample.AgainstSequence].
func (s *Sample) Sequence(arm int) *schemas.Interval {
	x := s.Scalar[arm]
	switch s.Protocol.Analysis.Sequence {
	case schemas.SequenceNormal:
		return s.Facts.Clip(confseq.ConfidenceSequence(x.N, x.Mean, s.Mixture()))
	case schemas.SequenceBetaBinomial:
		return s.Facts.Clip(confseq.BetaBinomialSequence(x.N, x.Mean, s.Mixture()))
	}
	r, _ := s.BetsOn(arm, onesample.Null{Value: x.Mean, Alternative: hypothesis.TwoSided, LogAlpha: publiclog.LogAlpha(s.Protocol) - math.Log(float64(s.Facts.K()))})
	return s.Facts.Clip(r.Lo, r.Hi)
}

// Mixture is a mixture of all declared arms.
func (s *Sample) Mixture() confseq.Sequence {
	r := s.Protocol.Reward.Range
	return confseq.Sequence{Lo: r[0], Hi: r[1], K: s.Facts.K(), LogAlpha: publiclog.LogAlpha(s.Protocol)}
}

// AgainstSequence is why an arm with rewards has no confidence sequence of the kind that
// is asked for; "" where it has. Fixed bets have one of every arm. A mixture has no form
// for units that own several rows, and the beta-binomial one needs one mean in all rounds
// that played the arm: [allocationtest.BetaBinomialSequence].
func (s *Sample) AgainstSequence(arm int) string {
	const instead = "; write analysis.sequence: bets, which needs nothing of it"
	kind := s.Protocol.Analysis.Sequence
	switch moving := s.Moving([]int{arm}); {
	case s.Facts.Sampled.ByRewards() != "":
		return s.Facts.Sampled.ByRewards()
	case kind == schemas.SequenceBets:
		return ""
	case publiclog.Repeated(s.Facts.Slice):
		return SequenceByUnit
	case kind == schemas.SequenceNormal:
		return ""
	case moving != nil:
		return "the beta-binomial mixture needs one mean in all rounds of the arm (analysis.means: constant), and it moves (check H13: " + moving[0] + ")" + instead
	case s.NotConstant() != "":
		return s.NotConstant() + "; the beta-binomial mixture needs one mean in all rounds of the arm" + instead
	case s.Missing[arm] > 0 && s.Protocol.Log.MissingReward == schemas.MissingExclude:
		return "the beta-binomial mixture needs one mean in all rounds of the arm, and " + schemas.Counted(s.Missing[arm], "row") + " of it whose reward is missing may be missing because of it (missing_reward: exclude)" + instead
	}
	return ""
}

// SequenceByUnit is the reason that stands where a unit owns several rows: given
// the past, its rows are no longer about the mean that the hypothesis names.
const SequenceByUnit = "A4: a unit (log.unit) owns several rows, and a confidence sequence is about what was to be expected of each row given everything before it, its unit's earlier rows among that: not about the mean of the arm"
