package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/moments"
	"banditaudit/schemas"
)

// Test is all that is known of a raw test of means. Its p is valid with the action
// sequence held fixed.
type Test struct {
	Name       string // in the protocol
	Sigma      bool   // it needs a declared standard deviation
	Binary     bool   // of rewards that are 0 or 1 alone
	OneMean    bool   // it holds only where all rows of an arm have one mean
	ByUnit     bool   // it has a form for units that own several rows; else it is refused there
	Mean       func(x Rewards, h Null) hypothesis.Result
	Difference func(p Pair, h Null) hypothesis.Result
	// Approximate says that the p holds for many rows only: the test takes means of
	// independent rewards as normal. Results of the others are Exact.
	Approximate bool
	Constant    bool     // of a difference it is asked only where analysis.means is constant
	Usual       []string // kinds of question of which it is the default, if no test before it in the list is
	Interval    string   // what its interval is, for a test that is the default of a mean
}

// Rewards are the known rewards of an arm.
type Rewards struct {
	moments.Scalar                // of its rows
	Ones           int64          // rewards equal to 1
	Units          *moments.Units // nil where a row is its own unit
	Bets           *moments.Bets  // what fixed bets won
	Lo, Hi         float64        // declared range
}

// Pair is the known rewards of two arms.
type Pair struct {
	A, B  Rewards
	Units *moments.UnitPair // nil where a row is its own unit
}

// Null is what is asked of a mean, or of the difference of two.
type Null struct {
	Value       float64
	Sigma       *float64 // of Test.Sigma
	Alternative hypothesis.Alternative
	LogAlpha    float64 // of the interval
}

// Tests are all raw tests of means, in the order in which they are shown.
func Tests() []Test {
	return []Test{exactTest(), studentTest(), normalTest(), welchTest(), hoeffdingTest(), betsTest(), bernsteinTest()}
}

// Answers reports whether a test is one of a kind of question.
func (t *Test) Answers(kind string) bool {
	return kind == schemas.TestMean && t.Mean != nil || kind == schemas.TestDifference && t.Difference != nil
}

// base is the raw test that a question names. Without a name, and where the
// protocol's checks would have refused it, it is the first in the list that is usual
// for such a question and can answer it of such rows. All of these hold at every
// number of rows.
func (q *questions) base(name, kind string) *Test {
	var out *Test
	for i := range q.Catalogue.Tests {
		switch t := &q.Catalogue.Tests[i]; {
		case !t.Answers(kind):
		case t.Name == name:
			return t
		case out == nil && slices.Contains(t.Usual, kind) && q.allows(t):
			out = t
		}
	}
	return out
}

// allows reports whether a test can be asked of the rows of this experiment: of
// rewards that are 0 or 1 alone, of units that own several rows.
func (q *questions) allows(t *Test) bool {
	return (!t.Binary || q.Binary()) && (t.ByUnit || !facts.Repeated(q.Slice))
}

// testMean carries out a raw test of an arm's mean.
func (s *sample) testMean(arm int, name string, h Null) rawTest {
	x := s.rewardsOf(arm)
	t := s.base(name, schemas.TestMean)
	if against := s.refused(t, arm); against.stands() {
		return rawTest{noRaw(x.N, meanOf(x.Scalar)), against}
	}
	return s.judged(t, t.Mean(x, h), arm)
}

// testDifference carries out a raw test of the difference of two arms' means.
func (s *sample) testDifference(q *differenceQuestion, logAlpha float64) rawTest {
	p := Pair{A: s.rewardsOf(q.arm), B: s.rewardsOf(q.against)}
	t := s.base(q.spec.Test, schemas.TestDifference)
	if against := s.refused(t, q.arm, q.against); against.stands() {
		return rawTest{noRaw(p.A.N+p.B.N, meanOf(p.A.Scalar)-meanOf(p.B.Scalar)), against}
	}
	if s.byUnits != nil {
		units := s.byUnits.pair(q.arm, q.against)
		p.Units = &units
	}
	return s.judged(t, t.Difference(p, Null{*q.spec.Value, q.spec.Sigma, q.alt, logAlpha}), q.arm, q.against)
}

// rewardsOf are the known rewards of an arm.
func (s *sample) rewardsOf(arm int) Rewards {
	r := s.Protocol.Reward.Range
	out := Rewards{Scalar: s.sums.scalar[arm], Ones: s.sums.ones[arm], Bets: &s.sums.bets[arm], Lo: r[0], Hi: r[1]}
	if s.byUnits != nil {
		out.Units = &s.byUnits.arms[arm]
	}
	return out
}

// refused is the assumption that stands against a raw test of the means of arms,
// none where nothing does.
func (s *sample) refused(t *Test, arms ...int) objection {
	why := s.noRewards(arms...)
	switch {
	case why != "":
		return objection{"A3", "there is no raw p-value: " + why}
	case t.Binary && !s.Binary():
		r := s.Protocol.Reward.Range
		return objection{"A3", fmt.Sprintf("the %s test is for boolean rewards under a range that holds 0 and 1, or whole numbers with range [0, 1]; the reward column is of type %s, with range [%g, %g]; write test: bets, hoeffding or bernstein",
			t.Name, s.Manifest.Reward.Type, r[0], r[1])}
	case !facts.UnitsAtHand(s.Slice):
		return noUnits()
	case facts.Repeated(s.Slice) && !t.ByUnit:
		return dependent(", and the test " + t.Name + " takes rows as independent; write test: hoeffding or bernstein")
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
	case !facts.Repeated(s.Slice) || s.byUnits == nil:
		return nil
	case len(arms) == 1:
		return &s.byUnits.arms[arms[0]].Count
	}
	n := s.byUnits.pair(arms[0], arms[1]).Count
	return &n
}
