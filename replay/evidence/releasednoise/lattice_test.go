package releasednoise

import (
	"testing"

	"banditaudit/replay/evidence/rounding"
	"banditaudit/replay/noise"
)

// One value off the lattice leaves the others on it, and where most lie off it
// none is said to lie on it: they were rounded.
func TestDrawsOnTheLattice(t *testing.T) {
	for _, off := range []int{0, 1, 3} {
		r := &Noise{unit: 4, column: &rounding.Resolution{}, offGrid: int64(off), draws: make([]noise.Draw, 5)}
		for i := range r.draws {
			r.draws[i].Value = 0.75
			if i < off {
				r.draws[i].Value = 0.8
			}
		}
		r.onLattice()
		for i, d := range r.draws {
			if want := off == 1 && i >= off; (d.Lattice == 0.25) != want {
				t.Errorf("%d off it, draw %d: lattice %v", off, i, d.Lattice)
			}
		}
	}
	if above0(0) != nil || *above0(2) != 2 {
		t.Error("an end of 0 is none")
	}
}
