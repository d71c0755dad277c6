package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// likelier puts 1,000 rounds with p = .8 for the likelier arm, which so many play,
// beside splits that find nothing.
func likelier(played int) *Inputs {
	f := split2(0, true)
	f.Splits.Result.Level -= allocationtest.OddsLevel
	o := allocationtest.NewOdds(allocationtest.OddsLevel, true)
	for i := range 1000 {
		o.Add(i < played, .8, .8, .8)
	}
	f.Splits.Odds = &Odds{Result: o.Result(), Looked: true}
	return f
}

// H17 fails where the likelier arm is played otherwise than its propensities give, and
// says how and by how much; its p is the smallest 1/e over its share of the level.
func TestH17Odds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		played          int
		status          schemas.CheckStatus
		observed, words string
	}{
		{"as drawn", 800, schemas.CheckPass, "; on the likelier arm ", "It was played in 800 of 1,000 rounds, where its propensities give 800. Smallest deviation that is found in about three of four logs: "},
		{"always", 1000, schemas.CheckFail, "the likelier arm was played 1,000 times, 800 expected (+25.0 %)", "choices that take the likeliest arm"},
		{"flatter", 500, schemas.CheckFail, "the likelier arm was played 500 times, 800 expected (-37.5 %)", "log.drawn: one-more"},
	} {
		f := likelier(c.played)
		got := allocationSubgroups().on(f)
		if got.Status != c.status || !strings.Contains(got.Observed, c.observed) || !strings.Contains(got.Detail, c.words) {
			t.Errorf("%s: %+v", c.name, got)
		}
		s := f.Splits
		want := min(1, math.Exp(-s.Result.LogE)*5/4, 5*math.Exp(-s.Odds.Result.LogE))
		if math.Abs(*got.P-want) > 1e-12*want {
			t.Errorf("%s: p %g, want %g", c.name, *got.P, want)
		}
		if rejects := c.status == schemas.CheckFail; s.Rejected() != rejects || (s.Contradictions(f.Labels) != "") != rejects || s.Contradiction(f.Labels) != "" {
			t.Errorf("%s: %t, %q", c.name, s.Rejected(), s.Contradictions(f.Labels))
		}
	}
	f := split2(400, true)
	f.Splits.Odds = likelier(1000).Splits.Odds
	if got := f.Splits.Contradictions(f.Labels); !strings.HasPrefix(got, "arm a was played ") || !strings.Contains(got, "; the likelier arm was played ") {
		t.Errorf("both: %s", got)
	}
	f = split2(0, true)
	f.Splits.Odds = &Odds{}
	if got := allocationSubgroups().on(f); got.Status != schemas.CheckPass || !strings.Contains(got.Detail, "was not looked at: it takes log.propensity_by_arm") || strings.Contains(got.Observed, "likelier") {
		t.Errorf("not looked at: %+v", got)
	}
	f.Splits.Odds = &Odds{Looked: true, Result: allocationtest.NewOdds(allocationtest.OddsLevel, false).Result()}
	if got := allocationSubgroups().on(f); got.Status != schemas.CheckPass || !strings.Contains(got.Detail, "no round has one") {
		t.Errorf("no rounds: %+v", got)
	}
}
