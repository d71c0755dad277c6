package main

import (
	"testing"

	"banditaudit/schemas"
)

// What a replay says about propensities must add up, as what it says about
// actions must.
func TestPossiblePropensities(t *testing.T) {
	first := &schemas.PropensityMismatch{Round: 1, Arm: "a", Logged: 0.5, Replayed: 0.4}
	for _, c := range []struct {
		name string
		p    *schemas.PropensityReplay
		want bool
	}{
		{"none", nil, true},
		{"all match", &schemas.PropensityReplay{Rounds: 9, Matched: 9}, true},
		{"some differ", &schemas.PropensityReplay{Rounds: 9, Matched: 8, FirstMismatch: first}, true},
		{"some differ, none is named", &schemas.PropensityReplay{Rounds: 9, Matched: 8}, false},
		{"one is named, all match", &schemas.PropensityReplay{Rounds: 9, Matched: 9, FirstMismatch: first}, false},
		{"too many", &schemas.PropensityReplay{Rounds: 9, Matched: 10, FirstMismatch: first}, false},
		{"fewer rounds", &schemas.PropensityReplay{Rounds: 8, Matched: 8}, false},
	} {
		r := &schemas.ReplayExperiment{ID: "x", Conformance: schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 9, Replayable: 9, Matched: 9, Propensities: c.p}}
		if got := possible(r, &schemas.ManifestExperiment{ID: "x", Rows: 9}); got != c.want {
			t.Errorf("%s: possible is %v", c.name, got)
		}
	}
}
