package analyze

import (
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// differenceQuestion asks whether the means of two arms differ by a value.
type differenceQuestion struct {
	*declaredTest
	sample *sample
	facts  *publiclog.Facts
}

var _ question = (*differenceQuestion)(nil)

func (q *differenceQuestion) describe(t *schemas.Test) {
	t.Kind, t.Arm, t.Label, t.Against = schemas.TestDifference, q.arm, q.facts.Manifest.Arms[q.arm], q.facts.Manifest.Arms[q.against]
	t.Selector = t.Label + ", " + t.Against
	t.Value, t.Units = *q.spec.Value, q.sample.unitsOf(q.arm, q.against)
	t.Hypothesis = q.words(q.overPlayed())
}

func (q *differenceQuestion) words(over string) string {
	return fmt.Sprintf("the mean %s of arm %s less that of arm %s over %s %s %g",
		q.facts.RewardWord(), q.facts.Name(q.arm), q.facts.Name(q.against), over, nullWords(q.alt), *q.spec.Value)
}

// inEveryRound is what [schemas.Test.EveryRound] is about.
func (q *differenceQuestion) inEveryRound() string {
	if q.facts.Binary() {
		return "the arms " + ope.PairName(q.facts.Log, ope.Pair{q.arm, q.against}) + " pay alike in every " + q.facts.Sampled.Round()
	}
	return fmt.Sprintf("arm %s pays, in every %s, what arm %s would have paid and %g more", q.facts.Name(q.arm), q.facts.Sampled.Round(), q.facts.Name(q.against), *q.spec.Value)
}

// turned are the words of the same question with its arms in the other order.
func (q *differenceQuestion) turned(over string) string {
	d, spec := *q.declaredTest, *q.spec
	value := 0 - *spec.Value // never −0
	spec.Value = &value
	d.spec, d.arm, d.against = &spec, q.against, q.arm
	switch q.alt {
	case hypothesis.Greater:
		d.alt = hypothesis.Less
	case hypothesis.Less:
		d.alt = hypothesis.Greater
	case hypothesis.TwoSided:
	}
	return (&differenceQuestion{&d, q.sample, q.facts}).words(over)
}

func (q *differenceQuestion) overPlayed() string { return q.sample.playedRounds() }

func (q *differenceQuestion) raw(logAlpha float64) rawTest {
	return q.sample.testDifference(q, logAlpha)
}

// clip cuts to what two means within the range of the reward can differ by.
func (q *differenceQuestion) clip(lo, hi float64) *schemas.Interval {
	width := publiclog.RangeWidth(q.sample.protocol)
	return schemas.NewInterval(max(lo, -width), min(hi, width))
}

// sequence adds up the confidence sequences of the two arms, which hold
// simultaneously.
func (q *differenceQuestion) sequence() schemas.TestResult {
	out := q.sample.sequenceResult(q.arm, q.against)
	if !out.Applicable {
		return out
	}
	x, y := q.sample.rewards.Scalar[q.arm], q.sample.rewards.Scalar[q.against]
	both := confseq.Both{N: [2]int64{x.N, y.N}, Mean: [2]float64{x.Mean, y.Mean}}
	lo, hi := confseq.DifferenceSequence(both, q.sample.rewards.Mixture())
	return sequenceAnswer(out, q.clip(lo, hi), confseq.DifferenceSequenceP(both, *q.spec.Value, q.sample.rewards.Mixture()), onNullSide(q.alt, x.Mean-y.Mean, *q.spec.Value))
}

// methods lists the methods that can decide it, in the order in which auto takes them. The
// assignment e-test is about arms with equal rewards, which for rewards of 0 and 1 is that their
// means do not differ. Running the policy again is about a constant shift of other rewards,
// which takes long and is a smaller hypothesis: it has to be asked for by name.
func (q *differenceQuestion) methods() []string {
	named := q.spec.Decide == schemas.MethodRerun
	switch alike := *q.spec.Value == 0 && q.facts.Binary(); {
	case alike && (named || q.facts.K() == 2):
		return []string{schemas.MethodCorrected, schemas.MethodRerun, schemas.MethodAssignment, schemas.MethodAnyTime}
	case alike:
		return []string{schemas.MethodCorrected, schemas.MethodAssignment, schemas.MethodAnyTime}
	case named:
		return []string{schemas.MethodCorrected, schemas.MethodRerun, schemas.MethodAnyTime}
	}
	return []string{schemas.MethodCorrected, schemas.MethodAnyTime}
}
