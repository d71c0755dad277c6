package analyze

import (
	"fmt"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// differenceQuestion asks whether the means of two arms differ by a value.
type differenceQuestion struct {
	a       *analysis
	spec    *schemas.TestSpec
	arm     int
	against int
	alt     hypothesis.Alternative
}

var _ question = (*differenceQuestion)(nil)

func (q *differenceQuestion) describe(t *schemas.Test) {
	t.Kind, t.Arm, t.Label, t.Against = schemas.TestDifference, q.arm, q.a.Manifest.Arms[q.arm], q.a.Manifest.Arms[q.against]
	t.Selector = t.Label + ", " + t.Against
	t.Value, t.Units = *q.spec.Value, q.a.unitsOf(q.arm, q.against)
	t.Hypothesis = q.words()
}

func (q *differenceQuestion) words() string {
	return fmt.Sprintf("the mean %s of arm %s less that of arm %s over the rounds played%s %s %g",
		q.a.rewardWord(), q.a.name(q.arm), q.a.name(q.against), q.a.known(), nullWords(q.alt), *q.spec.Value)
}

// turned are the words of the same question with its arms in the other order.
func (q *differenceQuestion) turned() string {
	spec := *q.spec
	value := 0 - *spec.Value // never −0
	spec.Value = &value
	alt := q.alt
	switch alt {
	case hypothesis.Greater:
		alt = hypothesis.Less
	case hypothesis.Less:
		alt = hypothesis.Greater
	case hypothesis.TwoSided:
	}
	return (&differenceQuestion{q.a, &spec, q.against, q.arm, alt}).words()
}

func (q *differenceQuestion) reads() rowSet { return q.a.rowsOf(q.arm, q.against) }

func (q *differenceQuestion) raw(logAlpha float64) rawTest {
	return q.a.testDifference(q, logAlpha)
}

// clip cuts to what two means within the range of the reward can differ by.
func (q *differenceQuestion) clip(lo, hi float64) *schemas.Interval {
	width := q.a.width()
	return schemas.NewInterval(max(lo, -width), min(hi, width))
}

// sequence adds up the confidence sequences of the two arms, which hold
// simultaneously.
func (q *differenceQuestion) sequence() schemas.TestResult {
	out := q.a.sequenceResult(q.arm, q.against)
	if !out.Applicable {
		return out
	}
	x, y := q.a.sums.scalar[q.arm], q.a.sums.scalar[q.against]
	both := adaptive.Both{N: [2]int64{x.N, y.N}, Mean: [2]float64{x.Mean, y.Mean}}
	lo, hi := adaptive.DifferenceSequence(both, q.a.sequence())
	out.CI = q.clip(lo, hi)
	logP := adaptive.DifferenceSequenceP(both, *q.spec.Value, q.a.sequence())
	if onNullSide(q.alt, x.Mean-y.Mean, *q.spec.Value) {
		logP = 0
	}
	setP(&out, logP)
	out.PAdjusted = out.P
	return out
}
