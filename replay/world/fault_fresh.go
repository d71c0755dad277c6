package world

import (
	"slices"

	"banditaudit/replay"
)

// freshNoise is the noise of an arm that is drawn anew whenever another sum is
// released, all of its nodes: a tree whose nodes are not remembered. It stands
// until then.
type freshNoise struct {
	rows  int64 // of the sum
	noise []float64
}

// of returns the noise of the sum of so many rows.
func (f *freshNoise) of(noises *replay.Noises, arm int, rows int64) ([]float64, error) {
	if rows == f.rows {
		return f.noise, nil
	}
	noise, err := noises.Anew(arm, rows)
	if err != nil {
		return nil, err
	}
	f.rows, f.noise = rows, slices.Clone(noise)
	return f.noise, nil
}

// anewCost is about how many operations it takes to draw the noise of a sum
// anew: 0 where that is not done.
func (s *Spec) anewCost() int64 {
	switch {
	case !faulty(s.Faults).has(Redraw, FreshPrefixes):
		return 0
	case s.counterKind().PerRow:
		return 10 * s.Rounds
	default:
		return 1000
	}
}
