package analyze

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/moments"
)

// Raw tests, by their names in the protocol.
const (
	testExact     = "exact"
	testT         = "t"
	testZ         = "z"
	testWelch     = "welch"
	testHoeffding = "hoeffding"
	testBernstein = "bernstein"
)

// meanTest is a raw test of one arm's mean.
type meanTest struct {
	name  string   // "": exact where rewards are 0 or 1 by type and rows are independent, else t
	sigma *float64 // of z
	value float64
	alt   hypothesis.Alternative
}

// testMean carries out a raw test of an arm's mean. Where a unit owns several
// rows, the tests are those by unit, and those that need independent rows are
// refused.
func (s *sample) testMean(arm int, m meanTest, logAlpha float64) rawTest {
	y := s.sums.scalar[arm]
	if m.name == "" {
		m.name = testT
		if s.binaryRows() {
			m.name = testExact
		}
	}
	if against := s.refused(m.name, arm); against.stands() {
		return rawTest{noRaw(y.N, meanOf(y)), against}
	}
	if s.repeated() {
		return existing(s.byUnit(arm, m, logAlpha))
	}
	r := s.Protocol.Reward.Range
	switch m.name {
	case testExact:
		return existing(hypothesis.Binomial(s.sums.ones[arm], y.N, m.value, m.alt, logAlpha))
	case testZ:
		return s.leaning(hypothesis.Normal(y, m.value, *m.sigma, m.alt, logAlpha), arm)
	case testHoeffding:
		return existing(hypothesis.Hoeffding(hypothesis.BoundedRows(y, r[0], r[1]), m.value, m.alt, logAlpha))
	case testBernstein:
		return existing(hypothesis.Bernstein(hypothesis.BoundedRows(y, r[0], r[1]), m.value, m.alt, logAlpha))
	}
	return s.leaning(hypothesis.Student(y, m.value, m.alt, logAlpha), arm) // the protocol's checks refuse other names
}

// byUnit is testMean where a unit owns several rows.
func (s *sample) byUnit(arm int, m meanTest, logAlpha float64) hypothesis.Result {
	u, r := s.byUnits.arms[arm], s.Protocol.Reward.Range
	switch m.name {
	case testHoeffding:
		return hypothesis.Hoeffding(hypothesis.BoundedUnits(u, r[0], r[1]), m.value, m.alt, logAlpha)
	case testBernstein:
		return hypothesis.Bernstein(hypothesis.BoundedUnits(u, r[0], r[1]), m.value, m.alt, logAlpha)
	}
	return hypothesis.Clustered(u, m.value, m.alt, logAlpha)
}

// testDifference carries out a raw test of the difference of two arms' means.
func (s *sample) testDifference(q *differenceQuestion, logAlpha float64) rawTest {
	name := q.spec.Test
	if name == "" {
		name = testWelch
		if s.binaryRows() {
			name = testExact
		}
	}
	x, y, value := s.sums.scalar[q.arm], s.sums.scalar[q.against], *q.spec.Value
	if against := s.refused(name, q.arm, q.against); against.stands() {
		return rawTest{noRaw(x.N+y.N, meanOf(x)-meanOf(y)), against}
	}
	if s.repeated() {
		return existing(s.differenceByUnit(q, name, logAlpha))
	}
	r := s.Protocol.Reward.Range
	pair := hypothesis.BoundedPairRows(x, y, r[0], r[1])
	switch name {
	case testExact:
		return existing(hypothesis.Fisher(s.successes(q.arm), s.successes(q.against), value, q.alt, logAlpha))
	case testT:
		return s.leaning(hypothesis.Student2(x, y, value, q.alt, logAlpha), q.arm, q.against)
	case testZ:
		return s.leaning(hypothesis.NormalDifference(x, y, value, *q.spec.Sigma, q.alt, logAlpha), q.arm, q.against)
	case testHoeffding:
		return existing(hypothesis.HoeffdingDifference(pair, value, q.alt, logAlpha))
	case testBernstein:
		return existing(hypothesis.BernsteinDifference(pair, value, q.alt, logAlpha))
	}
	return s.leaning(hypothesis.Welch(x, y, value, q.alt, logAlpha), q.arm, q.against)
}

// differenceByUnit is testDifference where a unit owns several rows.
func (s *sample) differenceByUnit(q *differenceQuestion, name string, logAlpha float64) hypothesis.Result {
	p, r, value := s.byUnits.pair(q.arm, q.against), s.Protocol.Reward.Range, *q.spec.Value
	switch name {
	case testHoeffding:
		return hypothesis.HoeffdingDifference(hypothesis.BoundedPairUnits(p, r[0], r[1]), value, q.alt, logAlpha)
	case testBernstein:
		return hypothesis.BernsteinDifference(hypothesis.BoundedPairUnits(p, r[0], r[1]), value, q.alt, logAlpha)
	}
	return hypothesis.ClusteredDifference(p, value, q.alt, logAlpha)
}

// refused is the assumption that stands against a raw test of the means of arms,
// none where nothing does.
func (s *sample) refused(name string, arms ...int) objection {
	why := s.noRewards(arms...)
	switch {
	case why != "":
		return objection{"A3", "there is no raw p-value: " + why}
	case name == testExact && !s.binary():
		r := s.Protocol.Reward.Range
		return objection{"A3", fmt.Sprintf("the exact test is for boolean rewards under a range that holds 0 and 1, or whole numbers with range [0, 1]; the reward column is of type %s, with range [%g, %g]; write test: t, hoeffding or bernstein",
			s.Manifest.Reward.Type, r[0], r[1])}
	case !s.repeated():
	case s.byUnits == nil:
		return noUnits()
	case name == testExact, name == testZ:
		return dependent(", and the test " + name + " takes rows as independent; write test: t, hoeffding or bernstein")
	}
	return objection{}
}

// existing is a raw test that was carried out; it may have no p for the data.
func existing(r hypothesis.Result) rawTest {
	if !math.IsNaN(r.LogP) {
		return rawTest{r, objection{}}
	}
	return rawTest{r, objection{"A3", strings.Join(append([]string{"the raw test gives no p-value"}, r.Warnings...), ": ")}}
}

// meanOf is NaN where there are no rewards.
func meanOf(s moments.Scalar) float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}

// unitsOf is the number of independent units among the rows of arms, nil where
// a row is one.
func (s *sample) unitsOf(arms ...int) *int64 {
	switch {
	case !s.repeated() || s.byUnits == nil:
		return nil
	case len(arms) == 1:
		return &s.byUnits.arms[arms[0]].Count
	}
	n := s.byUnits.pair(arms[0], arms[1]).Count
	return &n
}
