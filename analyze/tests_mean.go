package analyze

import (
	"fmt"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// meanQuestion asks whether the mean reward of an arm is a value.
type meanQuestion struct {
	*declaredTest
	sample *sample
	facts  *publiclog.Facts
}

var _ question = (*meanQuestion)(nil)

func (q *meanQuestion) describe(t *schemas.Test) {
	t.Kind, t.Selector, t.Arm, t.Label = schemas.TestMean, q.spec.Arm, q.arm, q.facts.Manifest.Arms[q.arm]
	t.Value, t.Units = *q.spec.Mean, q.sample.unitsOf(q.arm)
	t.Hypothesis = q.words(q.overPlayed())
}

func (q *meanQuestion) words(over string) string {
	return fmt.Sprintf("the mean %s of arm %s over %s %s %g", q.facts.RewardWord(), q.facts.Name(q.arm), over, nullWords(q.alt), *q.spec.Mean)
}

// rowsOfArms are the independent blocks with rows of arms.
func rowsOfArms(slice *tableau.Slice, arms ...int) corrections.Rows {
	if publiclog.Repeated(slice) {
		return corrections.Rows{Arms: arms, Block: corrections.UnitBlocks}
	}
	return corrections.Rows{Arms: arms, Block: corrections.RowBlocks}
}

func (q *meanQuestion) overPlayed() string { return q.sample.playedRounds() }

func (q *meanQuestion) raw(logAlpha float64) rawTest {
	return q.sample.testMean(q.arm, q.spec.Test, onesample.Null{Value: *q.spec.Mean, Sigma: q.spec.Sigma, Alternative: q.alt, LogAlpha: logAlpha})
}

func (q *meanQuestion) clip(lo, hi float64) *schemas.Interval { return q.facts.Clip(lo, hi) }

// sequence is the confidence sequence of a bounded reward. It holds at every
// time, for every arm at once, whatever the policy. Its p is two-sided; against
// a one-sided alternative a mean on the side of the null hypothesis gives p = 1.
func (q *meanQuestion) sequence() schemas.TestResult {
	out := q.sample.sequenceResult(q.arm)
	if !out.Applicable {
		return out
	}
	s, value := q.sample.rewards.Scalar[q.arm], *q.spec.Mean
	lo, hi := confseq.ConfidenceSequence(s.N, s.Mean, q.sample.rewards.Mixture())
	return sequenceAnswer(out, q.clip(lo, hi), confseq.SequenceP(s.N, s.Mean, value, q.sample.rewards.Mixture()), onNullSide(q.alt, s.Mean, value))
}

// sequenceAnswer fills in interval and p of a confidence sequence; p is 1 where
// the estimate lies on the side of a one-sided hypothesis.
func sequenceAnswer(out schemas.TestResult, ci *schemas.Interval, logP float64, onNullSide bool) schemas.TestResult {
	if out.CI = ci; onNullSide {
		logP = 0
	}
	setP(&out, logP)
	out.PAdjusted = out.P
	return out
}

// sequenceResult is the head of a confidence sequence's answer about arms: it
// has none where one of them has no reward.
func (s *sample) sequenceResult(arms ...int) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodSequence, ValidFor: "any-time", Applicable: true, Reason: "two-sided, simultaneous over arms" + s.rewards.IfMissing("; about the rounds whose reward is known")}
	if why := s.noRewards(arms...); why != "" {
		out.Applicable, out.Reason = false, why
	} else if publiclog.Repeated(s.facts.Slice) {
		out.Applicable, out.Reason = false, rewards.SequenceByUnit
	}
	return out
}

// noRewards says which of arms have no reward that is known; "" where all have
// one.
func (s *sample) noRewards(arms ...int) string {
	for _, arm := range arms {
		if s.rewards.Scalar[arm].N > 0 {
			continue
		}
		why := "the arm was never played"
		if s.facts.Pub.Pulls[arm] > 0 {
			why = "no reward of the arm is known"
		}
		if len(arms) > 1 {
			why = "arm " + s.facts.Name(arm) + ": " + why
		}
		return why
	}
	return ""
}

// noSequence is the place of the confidence sequence where there is none.
func noSequence(of string) schemas.TestResult {
	return schemas.TestResult{
		Method: schemas.MethodSequence, ValidFor: "any-time",
		Reason: "the confidence sequences here are of means of a bounded reward, not of " + of,
	}
}

// methods lists the methods that can decide it, in the order in which auto takes them.
func (q *meanQuestion) methods() []string {
	return []string{schemas.MethodCorrected, schemas.MethodAnyTime}
}
