package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// lines is a world of two arms and three dimensions, with contexts that are
// shared or by arm; its rewards are a function of round and arm.
type lines struct {
	coin
	byArm bool
}

func (lines) Dim() int { return 3 }

func (lines) Context(t int64, dst []float64) {
	dst[0], dst[1], dst[2] = 1, float64(t%7)/7, float64(t%11)/11
}

func (w lines) Enter(t int64, in *replay.Round) {
	if w.byArm {
		in.X, in.XByArm = nil, []float64{1, float64(t%7) / 7, 0, 1, 0, float64(t%11) / 11}
	}
}

func (lines) Known(t int64) int64 { return t }

// A log whose contexts are columns, or lists by arm, replays round by round;
// the protocol says nothing about how long the lists are.
func TestLinearLogsReplay(t *testing.T) {
	const rounds = 5000
	for _, byArm := range []bool{false, true} {
		p := protocol("linucb", "exact")
		p.Policy.Set("lambda", 1.0)
		p.Policy.Set("noise_sd", 0.5)
		p.Policy.Set("theta_bound", 1.0)
		p.Policy.Set("context_l1", schemas.MustRational("3"))
		p.Counter = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("5000"), Horizon: rounds}
		m, err := replay.Standard().New(p, arms())
		if err != nil {
			t.Fatal(err)
		}
		s := tableau.Schema{Arms: 2, ContextDim: 3, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "shop", Rows: rounds}}}
		b := tableau.Batch{X: make([][]float64, 3)}
		if byArm {
			s.ContextDim, s.ContextByArm, b.X = 0, 3, nil
		}
		err = m.Bandit(replay.Seed(7), "shop", lines{byArm: byArm}, rounds, func(step *replay.Step) error {
			b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, step.Round), append(b.Arm, int32(step.Arm)), append(b.Reward, step.Reward)
			for j := range b.X {
				b.X[j] = append(b.X[j], step.Public.X[j])
			}
			b.ContextByArm = append(b.ContextByArm, step.Public.XByArm...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := run(t, seeded(p, 7), slice(t, s, &b), nil)
		want := schemas.Conformance{Mode: schemas.ModeSeed, Rounds: rounds, Replayable: rounds, Matched: rounds}
		if x := out.Conformance.NearTies; x == nil || x.Rests() {
			t.Errorf("by arm %v: near ties %+v", byArm, x)
		}
		out.Conformance.NearTies, out.Conformance.Binding = nil, nil
		if diff := cmp.Diff(want, out.Conformance); diff != "" {
			t.Errorf("by arm %v (-want +got):\n%s", byArm, diff)
		}
		if out.Privacy.EpsilonMechanism == nil || float64(*out.Privacy.EpsilonMechanism) != 5000 {
			t.Errorf("by arm %v: ε of the mechanism is %v", byArm, out.Privacy.EpsilonMechanism)
		}
		out, _ = run(t, seeded(p, 8), slice(t, s, &b), nil)
		if out.Conformance.Matched == rounds {
			t.Errorf("by arm %v: another seed matches too", byArm)
		}
	}
}
