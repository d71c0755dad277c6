package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/corrections"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/schemas"
)

// givenQuestion is a test that was carried out elsewhere, of which the protocol gives
// the p. That p is corrected as any other, over the rounds that the protocol says the
// test read. Whoever gave it asserts what no log shows: that it is super-uniform under
// its null with actions and contexts held fixed, and read no other rewards. Formula
// sheet, second part, 28.1.
type givenQuestion struct {
	*declaredTest
	rewards *rewards.Sample
}

var _ question = (*givenQuestion)(nil)

// givenRows are the rounds that a test read which was carried out elsewhere.
func (q *questions) givenRows(spec *schemas.TestSpec) corrections.Rows {
	if slices.Equal(spec.Rows, []string{schemas.ArmsAll}) {
		return rowsOfArms(q.facts.Slice)
	}
	arms := make([]int, len(spec.Rows))
	for i, label := range spec.Rows {
		arms[i] = q.history().labelled(label)
	}
	slices.Sort(arms)
	return rowsOfArms(q.facts.Slice, arms...)
}

// reads reports whether the test read the rounds of an arm.
func (q *givenQuestion) reads(arm int) bool {
	return q.rows.Arms == nil || slices.Contains(q.rows.Arms, arm)
}

func (q *givenQuestion) describe(t *schemas.Test) {
	t.Kind, t.Arm, t.Alternative = schemas.TestGiven, -1, ""
	t.Selector = "all arms"
	if q.rows.Arms != nil {
		t.Selector = strings.Join(q.spec.Rows, ", ")
	}
	t.Hypothesis = "the null hypothesis of " + q.id + ", a test that was carried out elsewhere on the rounds of " + t.Selector
}

// raw is the p that the protocol gives.
func (q *givenQuestion) raw(float64) rawTest {
	n := int64(0)
	for arm, s := range q.rewards.Scalar {
		if q.reads(arm) {
			n += s.N
		}
	}
	out := rawTest{Result: noRaw(n, math.NaN())}
	out.LogP, out.Exact = math.Log(*q.spec.P), true
	out.Assumes = fmt.Sprintf("p = %g is given in the protocol, which asserts that it is super-uniform under its null with actions and contexts held fixed, and that its test read, cleaning and standardising included, the rewards of no other rounds; the audit cannot check either", *q.spec.P)
	return out
}

// clip has nothing to cut: there is no interval.
func (q *givenQuestion) clip(float64, float64) *schemas.Interval { return nil }

func (q *givenQuestion) sequence() schemas.TestResult {
	return noSequence("what a p is given for")
}

// methods lists the methods that can decide it.
func (q *givenQuestion) methods() []string { return []string{schemas.MethodCorrected} }
