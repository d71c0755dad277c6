package main

import (
	"testing"

	"banditaudit/schemas"
)

// What a replay says about propensities must add up, as what it says about
// actions must.
func TestPossiblePropensities(t *testing.T) {
	first := &schemas.PropensityMismatch{Round: 1, Arm: "a", Logged: 0.5, Replayed: 0.4}
	fine := []schemas.PropensityBatch{{First: 1, Last: 9, Rounds: 9}}
	one := []schemas.PropensityBatch{{First: 1, Last: 9, Rounds: 9, Beyond: 1, Largest: first.Logged - first.Replayed}}
	for _, c := range []struct {
		name string
		p    *schemas.PropensityReplay
		want bool
	}{
		{"none", nil, true},
		{"all match", &schemas.PropensityReplay{Rounds: 9, Matched: 9, Batches: fine}, true},
		{"some differ", &schemas.PropensityReplay{Rounds: 9, Matched: 8, FirstMismatch: first, Worst: first, Batches: one}, true},
		{"some differ, none is named", &schemas.PropensityReplay{Rounds: 9, Matched: 8, Batches: one}, false},
		{"one is named, all match", &schemas.PropensityReplay{Rounds: 9, Matched: 9, FirstMismatch: first, Worst: first, Batches: fine}, false},
		{"too many", &schemas.PropensityReplay{Rounds: 9, Matched: 10, FirstMismatch: first}, false},
		{"fewer rounds", &schemas.PropensityReplay{Rounds: 8, Matched: 8}, false},
	} {
		r := &schemas.ReplayExperiment{ID: "x", Conformance: schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 9, Replayable: 9, Matched: 9, Propensities: c.p}}
		if got := possible(r, &schemas.ManifestExperiment{ID: "x", Rows: 9}); (got == nil) != c.want {
			t.Errorf("%s: possible is %v", c.name, got)
		}
	}
}

// So must what it says about released values.
func TestPossibleReleased(t *testing.T) {
	first, value, place := &schemas.Mismatch{Round: 1}, &schemas.ReleasedValue{Round: 1}, &schemas.ReleasedPlace{Round: 1}
	for _, c := range []struct {
		name string
		r    *schemas.ReleasedReplay
		want bool
	}{
		{"none", nil, true},
		{"all match", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, Compared: 18}, true},
		{"some differ", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 8, FirstMismatch: first, Compared: 18, Differ: 2, FirstDiffer: value, Changed: 4, Redrawn: 3, FirstChanged: place}, true},
		{"an action differs, none is named", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 8}, false},
		{"a value differs, none is named", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, Compared: 18, Differ: 1}, false},
		{"a value changed, none is named", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, Changed: 1}, false},
		{"a change is named, there is none", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, FirstChanged: place}, false},
		{"more redraws than changes", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, Changed: 1, Redrawn: 2, FirstChanged: place}, false},
		{"more differ than are known", &schemas.ReleasedReplay{Actions: "exact", Replayable: 9, Matched: 9, Compared: 1, Differ: 2, FirstDiffer: value}, false},
		{"too many rounds", &schemas.ReleasedReplay{Actions: "exact", Replayable: 10, Matched: 10}, false},
	} {
		r := &schemas.ReplayExperiment{ID: "x", Conformance: schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 9, Replayable: 9, Matched: 9, Released: c.r}}
		if got := possible(r, &schemas.ManifestExperiment{ID: "x", Rows: 9}); (got == nil) != c.want {
			t.Errorf("%s: possible is %v", c.name, got)
		}
	}
}
