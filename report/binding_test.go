package report

import (
	"testing"

	"banditaudit/schemas"
)

// The sentence on changed rewards says what was measured, and nothing of noise.
func TestBoundRewards(t *testing.T) {
	arm := func(up, of int64) schemas.ArmBinding {
		return schemas.ArmBinding{Arm: "blue", Up: schemas.Changeable{AtLeast: up, Of: of}}
	}
	for _, tt := range []struct {
		name, mode string
		x          *schemas.Binding
		want       string
	}{
		{"nothing replayed", schemas.ModeNone, nil, "nothing was replayed that depends on them"},
		{"contradicted", schemas.ModeSeed, nil, "how many could be changed was not looked at, for the replay does not agree with every round of this log"},
		{"reads none", schemas.ModeSeed, &schemas.Binding{Any: true}, "the policy reads none, so that any number of them could be changed, and the replay would be what it is"},
		{"too long", schemas.ModeSeed, &schemas.Binding{Left: 3}, "how many could be changed so that the replay is what it is was not measured at this length"},
		{"all bound", schemas.ModeSeed, &schemas.Binding{Arms: []schemas.ArmBinding{arm(0, 20)}}, "to change the last one of any arm changed the replay, and what other changes do was not looked at"},
		{"all free", schemas.ModeReleased, &schemas.Binding{Arms: []schemas.ArmBinding{arm(3, 10), arm(249, 249)}, Left: 1}, "of arm blue all 249 rewards below 1 could be set to 1. The replay would be what it is (1 arm not measured at this length)"},
	} {
		x := schemas.Experiment{Replay: schemas.Conformance{Mode: tt.mode, Binding: tt.x}}
		r := digested(&schemas.Results{Experiments: []schemas.Experiment{x}})
		if got := bound(r, []float64{0, 1}); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
