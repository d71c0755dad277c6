package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/precision"
)

// H17 was run where any of its three wagers finds something.
func TestFinds(t *testing.T) {
	none := allocationtest.OddsResult{LeastOften: math.NaN(), LeastSeldom: math.NaN()}
	found := subgroups.SplitsResult{Power: []subgroups.SplitPower{{}, {Found: 1}}}
	for name, c := range map[string]struct {
		s    *Splits
		want bool
	}{
		"nothing":               {nil, false},
		"no deviation":          {&Splits{Result: subgroups.SplitsResult{Power: make([]subgroups.SplitPower, 2)}}, false},
		"a split":               {&Splits{Result: found}, true},
		"not looked at":         {&Splits{Why: "no propensities", Result: found}, false},
		"the round before":      {&Splits{Again: &RepeatedArms{Result: allocationtest.RepeatsResult{Least: .1}}}, true},
		"nothing of it":         {&Splits{Again: &RepeatedArms{Result: allocationtest.RepeatsResult{Least: math.NaN()}}}, false},
		"the likelier arm":      {&Splits{Odds: &Odds{Looked: true, Result: allocationtest.OddsResult{LeastOften: math.NaN(), LeastSeldom: .1}}}, true},
		"which is not known":    {&Splits{Odds: &Odds{Result: allocationtest.OddsResult{LeastOften: .1}}}, false},
		"or shows no deviation": {&Splits{Odds: &Odds{Looked: true, Result: none}}, false},
	} {
		if got := c.s.Finds(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What was allowed is that of the sum that exceeds it most, and before any does that of
// the farthest.
func TestFarthest(t *testing.T) {
	var b ByArm
	for _, c := range []struct{ off, beyond, allowed, want float64 }{
		{.2, 0, .3, .3}, {.1, 0, .4, .3}, {.25, 0, .5, .5}, {.5, .1, .4, .4}, {.9, .05, .85, .4}, {.4, .3, .1, .1},
	} {
		if b.farthest(c.off, c.beyond, c.allowed); b.Allowed != c.want {
			t.Errorf("after %+v %v was allowed", c, b.Allowed)
		}
	}
	if b.Farthest != .9 || b.Beyond != .3 {
		t.Errorf("got %+v", b)
	}
}

// The ends at which sums are taken are said by how propensities were written.
func TestEndsWords(t *testing.T) {
	for want, e := range map[string]precision.Ends{
		"of their 3rd significant digit": {Digits: 3, Own: 2}, "of its own last decimal": {Own: 2, Half: true}, "are float16": {Half: true, Room: .1}, "to ±0.005": {Room: .005},
	} {
		if got := (&Inputs{Propensities: &Propensities{Ends: e}}).endsWords(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if got := (&Inputs{Propensities: &Propensities{}}).endsWords(); got != "" {
		t.Errorf("of exact ones: %q", got)
	}
}
