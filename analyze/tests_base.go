package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
)

// base is the raw test that a question names. Without a name, and where the
// protocol's checks would have refused it, it is the first in the list that is usual
// for such a question and can answer it of such rows. All of these hold at every
// number of rows.
func (q *questions) base(name, kind string) *onesample.Test {
	var out *onesample.Test
	for i := range q.tests {
		switch t := &q.tests[i]; {
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
func (q *questions) allows(t *onesample.Test) bool {
	return (!t.Binary || q.facts.Binary()) && (t.ByUnit || !publiclog.Repeated(q.facts.Slice))
}

// oneMean reports whether a declared test holds only where all rows of an arm
// have one mean, and what the log holds can make their means differ.
func (q *questions) oneMean(d *declaredTest) bool {
	t := q.base(d.spec.Test, d.kind)
	return t != nil && t.OneMean && q.facts.Selective()
}

// testMean carries out a raw test of an arm's mean.
func (s *sample) testMean(arm int, name string, h onesample.Null) rawTest {
	x := s.rewardsOf(arm)
	t := s.questions.base(name, schemas.TestMean)
	if against := s.refused(t, arm); against.Stands() {
		return rawTest{noRaw(x.N, onesample.MeanOf(x.Scalar)), against}
	}
	return s.judged(t, t.Mean(x, h), x)
}

// testDifference carries out a raw test of the difference of two arms' means.
func (s *sample) testDifference(q *differenceQuestion, logAlpha float64) rawTest {
	p := onesample.Pair{A: s.rewardsOf(q.arm), B: s.rewardsOf(q.against)}
	t := s.questions.base(q.spec.Test, schemas.TestDifference)
	if against := s.refused(t, q.arm, q.against); against.Stands() {
		return rawTest{noRaw(p.A.N+p.B.N, onesample.MeanOf(p.A.Scalar)-onesample.MeanOf(p.B.Scalar)), against}
	}
	if s.byUnits != nil {
		units := s.byUnits.pair(q.arm, q.against)
		p.Units = &units
	}
	return s.judged(t, t.Difference(p, onesample.Null{Value: *q.spec.Value, Sigma: q.spec.Sigma, Alternative: q.alt, LogAlpha: logAlpha}), p.A, p.B)
}

// rewardsOf are the known rewards of an arm.
func (s *sample) rewardsOf(arm int) onesample.Rewards {
	out := s.rewards.Of(arm)
	if s.byUnits != nil {
		out.Units = &s.byUnits.arms[arm]
		if out.Third != nil {
			third := out.Units.Third()
			out.Third = &third
		}
	}
	return out
}

// judged is a raw test that was carried out, with what it says of skewed rewards.
func (s *sample) judged(t *onesample.Test, r hypothesis.Result, of ...onesample.Rewards) rawTest {
	out := existing(r)
	if out.against.Stands() {
		return out
	}
	instead := "bets or bernstein"
	if s.facts.BinaryRows() {
		instead = "exact"
	} else if publiclog.Repeated(s.facts.Slice) {
		instead = "bernstein"
	}
	if words := t.Skewed(instead, of...); words != "" {
		out.Warnings = append(out.Warnings, words)
	}
	return out
}

// refused is the assumption that stands against a raw test of the means of arms,
// none where nothing does.
func (s *sample) refused(t *onesample.Test, arms ...int) corrections.NotApplicable {
	why := s.noRewards(arms...)
	switch {
	case why != "":
		return corrections.Against("A3", "there is no raw p-value: "+why)
	case t.Binary && !s.facts.Binary():
		r, reward := s.protocol.Reward.Range, &s.facts.Manifest.Reward
		return corrections.Against("A3", fmt.Sprintf("the %s test is for boolean rewards under a range that holds 0 and 1, or whole numbers with range [0, 1]; the reward column is of type %s, with range [%g, %g]; write test: bets, hoeffding or bernstein%s",
			t.Name, reward.Type, r[0], r[1], s.facts.CastHint()))
	case !publiclog.UnitsAtHand(s.facts.Slice):
		return validity.NoUnits()
	case publiclog.Repeated(s.facts.Slice) && !t.ByUnit:
		return corrections.Dependent(", and the test " + t.Name + " takes rows as independent; write test: hoeffding or bernstein")
	}
	return corrections.NotApplicable{}
}

// existing is a raw test that was carried out; it may have no p for the data.
func existing(r hypothesis.Result) rawTest {
	if !math.IsNaN(r.LogP) {
		return rawTest{r, corrections.NotApplicable{}}
	}
	return rawTest{r, corrections.Against("A3", strings.Join(append([]string{"the raw test gives no p-value"}, r.Warnings...), ": "))}
}

// enters writes the number of rounds on which an answer rests, and the number of units
// among them. all says that these are all rounds of the log.
func (s *sample) enters(out *methodAnswer, rounds int64, all bool) {
	out.rounds = rounds
	if n := s.facts.Slice.UnitCount(); s.facts.Drawn.Words(s.facts.Slice) != "" { // by the first of each unit
		out.units = &rounds
	} else if all && publiclog.Repeated(s.facts.Slice) {
		out.units = &n
	}
}

// unitsOf returns the number of independent units among the rows of arms, or among the rows
// of all arms if none is named; nil where each row is a unit.
func (s *sample) unitsOf(arms ...int) *int64 {
	switch {
	case !publiclog.Repeated(s.facts.Slice) || s.byUnits == nil:
		return nil
	case len(arms) == 0:
		return &s.byUnits.all
	case len(arms) == 1:
		return &s.byUnits.arms[arms[0]].Count
	}
	n := s.byUnits.pair(arms[0], arms[1]).Count
	return &n
}
