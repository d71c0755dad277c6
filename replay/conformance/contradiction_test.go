package conformance

import (
	"context"
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// alternating is a log of n rounds, two for each number from 11 on, in which
// both arms take turns.
func alternating(n int) *tableau.Batch {
	b := &tableau.Batch{Experiment: make([]int32, n), Reward: make([]float64, n)}
	for i := range n {
		b.Round, b.Arm = append(b.Round, int64(11+2*i)), append(b.Arm, int32(i%2))
	}
	return b
}

// impossible runs a log without and with a seed, and returns both.
func impossible(t *testing.T, p *schemas.Protocol, b *tableau.Batch) (without, with schemas.ReplayExperiment) {
	t.Helper()
	s := tableau.Schema{
		Arms: 2, Reward: [2]float64{0, 1}, ContextDim: len(b.X), Batch: b.Batch != nil, RewardRound: b.RewardRound != nil, Unit: b.Unit != nil,
		Experiments: []tableau.Range{{ID: "shop", Rows: int64(len(b.Arm))}},
	}
	if len(b.ContextByArm) > 0 {
		s.ContextByArm = len(b.ContextByArm) / len(b.Arm) / 2
	}
	tab := slice(t, s, b)
	without, _ = run(t, p, tab, nil)
	account, _, err := declare(t, p).Account(context.Background(), tab)
	if err != nil || account.EpsilonRealized == nil || *account.EpsilonRealized != *without.Privacy.EpsilonRealized {
		t.Fatalf("Account (%v) %+v, Run %+v", err, account, without.Privacy)
	}
	with, _ = run(t, seeded(p, 7), tab, func(transcript.Row) error { return nil })
	p.Policy.Seed = nil
	return without, with
}

// contradicted checks both outcomes: the first mismatch is in a round, with
// words, and nothing bounds what rows cost.
func contradicted(t *testing.T, without, with schemas.ReplayExperiment, round int64, words ...string) {
	t.Helper()
	for _, out := range []*schemas.ReplayExperiment{&without, &with} {
		m := out.Conformance.FirstMismatch
		if m == nil || m.Round > round || out.Conformance.Matched >= out.Conformance.Replayable {
			t.Fatalf("mode %s: %+v, first mismatch %+v; want one by round %d", out.Conformance.Mode, out.Conformance, m, round)
		}
		p := &out.Privacy
		if !math.IsInf(float64(*p.EpsilonRealized), 1) || !math.IsInf(float64(*p.SumSquaredCosts), 1) || math.IsInf(float64(*p.EpsilonMechanism), 0) {
			t.Errorf("mode %s: ε %v, realised %v, Σc² %v", out.Conformance.Mode, *p.EpsilonMechanism, *p.EpsilonRealized, *p.SumSquaredCosts)
		}
		for _, l := range p.Levels {
			if l.Cost != 0 && !math.IsInf(float64(l.Cost), 1) {
				t.Errorf("mode %s: level %+v", out.Conformance.Mode, l)
			}
		}
		for _, w := range words {
			if !strings.Contains(p.Notes[0], w) {
				t.Errorf("mode %s: note %q does not say %q", out.Conformance.Mode, p.Notes[0], w)
			}
		}
	}
	if m := without.Conformance.FirstMismatch; m.Round != round || without.Conformance.Mode != schemas.ModeNone || without.Conformance.Replayable != 1 {
		t.Errorf("without a seed: %+v, first mismatch %+v, want round %d", without.Conformance, m, round)
	}
	if with.Conformance.Mode != schemas.ModeSeed {
		t.Errorf("with a seed: %+v", with.Conformance)
	}
}

func bounded(counter string, horizon int64) *schemas.Protocol {
	p := protocol("ucb", counter)
	p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("1"), horizon
	return p
}

// A stream longer than its counter takes: the ledger once charged its rows
// nothing, and a replay failed.
func TestStreamsBeyondTheCounter(t *testing.T) {
	for _, counter := range []string{"binary", "tree", "interval"} {
		without, with := impossible(t, bounded(counter, 4), alternating(200))
		// Rows 5 of the arms are in rows 8 and 9 of the log; the last one, of
		// arm 1, is known too late.
		contradicted(t, without, with, 27, "control", "100 rows", "at most 4", "round 27")
	}
}

// What counts is what had arrived when the policy last learned, in the order in
// which it did.
func TestStreamsThatArriveLate(t *testing.T) {
	late := func(known func(i int) int64) *tableau.Batch {
		b := alternating(40)
		for i := range b.Arm {
			b.RewardRound = append(b.RewardRound, known(i))
		}
		return b
	}
	// Of arm 0 rows 0, 2, 4, 6 are known last: the fifth to arrive is row 16.
	b := late(func(i int) int64 {
		if i <= 6 {
			return 85
		}
		return int64(11 + 2*i)
	})
	without, with := impossible(t, bounded("binary", 4), b)
	contradicted(t, without, with, 11+2*15, "blue", "at most 4") // rows 7, 9, 11, 13 before

	never := late(func(i int) int64 {
		if i >= 8 {
			return tableau.NeverKnown
		}
		return int64(11 + 2*i)
	})
	possible(t, bounded("binary", 4), never)
	end := late(func(i int) int64 {
		if i >= 8 {
			return 11 + 2*39 // the last round is chosen without them
		}
		return int64(11 + 2*i)
	})
	possible(t, bounded("binary", 4), end)
}

// possible checks that nothing contradicts the mechanism, with and without a
// seed.
func possible(t *testing.T, p *schemas.Protocol, b *tableau.Batch) {
	t.Helper()
	without, with := impossible(t, p, b)
	if without.Conformance.FirstMismatch != nil || with.Conformance.Replayable != int64(len(b.Arm)) || math.IsInf(float64(*with.Privacy.EpsilonRealized), 1) {
		t.Errorf("without a seed %+v, with one %+v, ε realised %v", without.Conformance, with.Conformance, *with.Privacy.EpsilonRealized)
	}
}

// Rows that arrive after the last update reach nobody: a replay with the seed
// does not fail over them either.
func TestRowsAfterTheLastUpdate(t *testing.T) {
	p := bounded("binary", 4)
	p.Policy.Update = &schemas.Update{Every: 8}
	possible(t, p, alternating(16)) // learns before row 9 last, from four rows of each
	without, with := impossible(t, p, alternating(17))
	contradicted(t, without, with, 11+2*8, "control", "8 rows")
}

// The counters of the declared horizon hold streams of exactly that length.
func TestStreamsOfTheHorizon(t *testing.T) {
	for _, counter := range []string{"binary", "tree", "interval", "hybrid", "laplace", "epochs"} {
		p := bounded(counter, 10)
		if counter == "laplace" || counter == "epochs" {
			p.Counter.Horizon = 0
		}
		possible(t, p, alternating(20))
	}
}

func line(policy string) *schemas.Protocol {
	p := protocol(policy, "laplace")
	p.Policy.Set("lambda", 1.0)
	p.Policy.Set("noise_sd", 0.5)
	p.Policy.Set("context_l1", schemas.MustRational("1.5"))
	p.Counter.Epsilon = schemas.MustRational("1")
	if policy == "linucb" {
		p.Policy.Set("theta_bound", 1.0)
		p.Counter.Horizon = 100
	}
	return p
}

// Contexts of played arms longer than policy.context_l1, which noise is scaled
// for, are found with and without a seed, and none is printed.
func TestContextsBeyondTheBound(t *testing.T) {
	for _, policy := range []string{"lints", "linucb"} {
		for _, byArm := range []bool{false, true} {
			b := alternating(30)
			x := [2][]float64{make([]float64, 30), make([]float64, 30)}
			for i := range 30 {
				x[0][i], x[1][i] = 0.5, -1 // as long as is allowed
			}
			put := func() {
				if !byArm {
					b.X = [][]float64{x[0], x[1]}
					return
				}
				b.ContextByArm = nil
				for i := range 30 {
					row := []float64{9876, 0, 9876, 0} // that of the other arm does not matter
					row[2*int(b.Arm[i])], row[2*int(b.Arm[i])+1] = x[0][i], x[1][i]
					b.ContextByArm = append(b.ContextByArm, row...)
				}
			}
			put()
			possible(t, line(policy), b)
			x[0][12], x[1][20] = 0.5+0x1p-20, 9876.5
			put()
			without, with := impossible(t, line(policy), b)
			contradicted(t, without, with, 11+2*12, "policy.context_l1", "2 of 30 rounds", "first in round 35")
			for _, s := range append(without.Privacy.Notes, without.Conformance.FirstMismatch.Replayed) {
				if strings.Contains(s, "9876") {
					t.Errorf("a context is printed: %s", s)
				}
			}
			exact := line(policy)
			exact.Counter = &schemas.Counter{Name: "exact"}
			if out, _ := run(t, exact, slice(t, tableau.Schema{Arms: 2, ContextDim: 2, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "shop", Rows: 30}}},
				&tableau.Batch{Experiment: b.Experiment, Round: b.Round, Arm: b.Arm, Reward: b.Reward, X: x[:]}), nil); out.Conformance.FirstMismatch != nil && strings.Contains(out.Conformance.FirstMismatch.Replayed, "no arm") {
				t.Errorf("%s × exact: %+v", policy, out.Conformance.FirstMismatch)
			}
		}
	}
}

// Where both are wrong both are said, and the first round counts.
func TestBothContradictions(t *testing.T) {
	b := alternating(30)
	b.X = [][]float64{make([]float64, 30)}
	b.X[0][20] = -2
	p := line("lints")
	p.Counter.Name, p.Counter.Horizon = "binary", 4
	without, with := impossible(t, p, b)
	contradicted(t, without, with, 11+2*8, "at most 4", "1 of 30 rounds")
	b.X[0][3] = 2
	without, with = impossible(t, p, b)
	contradicted(t, without, with, 11+2*3, "at most 4", "2 of 30 rounds")
	c, err := declare(t, p).Contradicts(context.Background(), slice(t, tableau.Schema{Arms: 2, ContextDim: 1, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "shop", Rows: 30}}}, b))
	if err != nil || c == nil || c.Round != 17 || c.Arm != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
