package conformance

import (
	"testing"

	"banditaudit/ingest/precision"
	"banditaudit/replay/diagnose"
)

// TestLeftOver: the last arm may be off by what rounding the others leaves of 1, and
// nothing else may be off.
func TestLeftOver(t *testing.T) {
	t.Parallel()
	want := []float64{.3004, .2004, .1004, .3988}
	for _, c := range []struct {
		name    string
		p, want []float64
		room    float64
		is      bool
	}{
		{"the rest of three rounded ones", []float64{.3, .2, .1, .4}, want, .0005, true},
		{"written in full", []float64{.3, .2, .1, .4}, want, 0, false},
		{"no rest of 1", []float64{.3, .2, .1, .3995}, want, .0005, false},
		{"another arm is off", []float64{.302, .2, .1, .398}, want, .0005, false},
		{"off by more", []float64{.3, .2, .1, .4}, []float64{.3004, .2004, .1004, .3981}, .0005, false},
		{"one arm", []float64{1}, []float64{1}, .0005, false},
		{"none", nil, want, .0005, false},
	} {
		of := comparison{tolerance: diagnose.Tolerance{ByArm: precision.Ends{Room: c.room}}}
		if got := of.leftOver(c.p, c.want); got != c.is {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
