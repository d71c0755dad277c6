package analyze

import (
	"math"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/schemas"
)

// equalQuestion asks whether arms pay alike in every round: two, or all of them.
type equalQuestion struct {
	*declaredTest
	sample *sample
	facts  *publiclog.Facts
}

var _ question = (*equalQuestion)(nil)

func (q *equalQuestion) describe(t *schemas.Test) {
	t.Kind, t.Arm, t.Alternative = schemas.TestEqual, q.arm, ""
	t.Selector, t.Hypothesis = "all arms", "all arms pay alike in every "+q.facts.Sampled.Round()+byOneLaw(q.facts.Log)
	if t.Units = q.sample.unitsOf(); q.arm >= 0 {
		t.Label, t.Against = q.facts.Manifest.Arms[q.arm], q.facts.Manifest.Arms[q.against]
		t.Selector = t.Label + ", " + t.Against
		t.Hypothesis = "the arms " + ope.PairName(q.facts.Log, ope.Pair{q.arm, q.against}) + " pay alike in every " + q.facts.Sampled.Round() + byOneLaw(q.facts.Log)
		t.Units = q.sample.unitsOf(q.arm, q.against)
	}
}

// byOneLaw says of rewards other than 0 and 1 what paying alike is; of 0 and 1 the mean says
// all.
func byOneLaw(in *publiclog.Log) string {
	if in.Binary() {
		return ""
	}
	return ": by one law of the reward, and not only with one mean"
}

// raw is none: a raw p with the actions held fixed is no test of what arms pay, where
// the policy has read rewards.
func (q *equalQuestion) raw(float64) rawTest {
	n := int64(0)
	for arm, s := range q.sample.rewards.Scalar {
		if q.arm < 0 || arm == q.arm || arm == q.against {
			n += s.N
		}
	}
	return rawTest{noRaw(n, math.NaN()), corrections.Against("A3", "there is no raw p of whether arms pay alike with the actions held fixed")}
}

// clip has nothing to cut: there is no interval.
func (q *equalQuestion) clip(float64, float64) *schemas.Interval { return nil }

func (q *equalQuestion) sequence() schemas.TestResult { return noSequence("whether arms pay alike") }

// methods lists the methods that answer it, in the order in which auto takes them. Where the
// propensities of both arms of every pair are known, wagers on the arm come first: they need
// nothing of what an arm does to later rewards, which running the policy again does (formula
// sheet of answers, 6). Of two among several arms running the policy again tells nothing: what
// the others would have paid in their place is not known.
func (q *equalQuestion) methods() []string {
	switch {
	case q.arm >= 0 && q.facts.K() != 2:
		return []string{schemas.MethodAssignment, schemas.MethodAnyTime}
	case q.sample.weighed.Shared():
		return []string{schemas.MethodAssignment, schemas.MethodRerun, schemas.MethodAnyTime}
	}
	return []string{schemas.MethodRerun, schemas.MethodAssignment, schemas.MethodAnyTime}
}
