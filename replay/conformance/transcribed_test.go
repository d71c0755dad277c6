package conformance

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/replay/transcript"
)

// gather keeps the rows of a transcript.
func gather(rows *[]transcript.Row) func(transcript.Row) error {
	return func(r transcript.Row) error {
		r.Propensities = slices.Clone(r.Propensities)
		*rows = append(*rows, r)
		return nil
	}
}

// What Run gives a transcript, for each kind of evidence.
func TestTranscriptOfARun(t *testing.T) {
	uniform, ucb := protocol("uniform", ""), protocol("ucb", "exact")
	l, u := play(t, uniform), play(t, ucb)
	bare := *l
	bare.Propensity = nil
	for _, tt := range []struct {
		name       string
		log        *log
		seed       bool
		arm        bool
		propensity float64
	}{
		{"uniform with seed", l, true, true, 0.5},
		{"uniform with propensities", l, false, false, 0.5},
		{"uniform with nothing", &bare, false, false, 0.5},
		{"ucb", u, false, true, math.NaN()},
	} {
		p := uniform
		if tt.log == u {
			p = ucb
		} else if tt.seed {
			p = seeded(protocol("uniform", ""), 7)
		}
		var rows []transcript.Row
		run(t, p, tt.log.write(t), gather(&rows))
		var want []transcript.Row
		for i, arm := range tt.log.Arm {
			row := transcript.Row{Round: int64(i + 1), Arm: -1, Propensity: tt.propensity}
			if tt.arm {
				row.Arm = int(arm)
			}
			if tt.log != u {
				row.Propensities = []float64{0.5, 0.5}
			}
			want = append(want, row)
		}
		if !cmp.Equal(want, rows, cmpopts.EquateNaNs()) {
			t.Errorf("%s: the transcript differs (%d rows)", tt.name, len(rows))
		}
	}
}
