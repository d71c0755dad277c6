package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// wagered puts rounds of two arms at p = .5, of which so many repeat, beside splits
// that find nothing.
func wagered(repeat, rounds int, deficits bool) *Inputs {
	f := split2(0, true)
	f.Splits.Result.Level -= allocationtest.RepeatsLevel
	r := allocationtest.NewRepeats(allocationtest.RepeatsLevel, deficits)
	for i := range rounds {
		r.Add(i < repeat, .5, .5)
	}
	f.Splits.Again = &RepeatedArms{Result: r.Result(), Deficits: deficits}
	return f
}

// H17 fails where the arm of the unit's round before tells of the next, and says how
// and by how much; its p is twice the smaller of both, against 0.0005.
func TestH17Again(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		repeat          int
		deficits        bool
		status          schemas.CheckStatus
		observed, words string
	}{
		{"drawn", 100, true, schemas.CheckPass, "; on the arm of the unit's round before ", "It was played again in 100 of 200 later rounds in which it could be. Smallest deviation that is found in about three of four logs: "},
		{"surpluses only", 100, false, schemas.CheckPass, "; on the arm of the unit's round before ", "An arm that is played again too seldom is not looked for"},
		{"kept", 200, true, schemas.CheckFail, "the arm of the unit's round before was played 200 times; Σ 1/p over these plays is 100 % above its expectation", "draws that are kept for several rounds of a unit look like this"},
		{"turns", 0, true, schemas.CheckFail, "the arm of the unit's round before was played 0 times", "turns, and counts that are fixed for each unit, look like this"},
		{"turns, surpluses only", 0, false, schemas.CheckPass, "", "No deviation of that would be found."},
	} {
		f := wagered(c.repeat, 200, c.deficits)
		got := allocationSubgroups().on(f)
		if got.Status != c.status || !strings.Contains(got.Observed, c.observed) || !strings.Contains(got.Detail, c.words) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if want := min(1, 2*math.Exp(-max(f.Splits.Result.LogE, f.Splits.Again.Result.LogE))); math.Abs(*got.P-want) > 1e-12 {
			t.Errorf("%s: p %g, want %g", c.name, *got.P, want)
		}
		if strings.Contains(got.Detail, "wagers reached") {
			t.Errorf("%s: the splits reject nothing: %s", c.name, got.Detail)
		}
	}
	if got := allocationSubgroups().on(wagered(0, 0, true)); got.Status != schemas.CheckPass || !strings.Contains(got.Detail, "there was nothing to look at") || strings.Contains(got.Observed, "before") {
		t.Errorf("no later rounds: %+v", got)
	}
}
