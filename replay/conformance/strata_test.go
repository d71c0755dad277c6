package conformance

import (
	"context"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// stratifiedLog is what the declared policy writes with the seed made from 7, in strata that
// are drawn, with batches and rewards that come late.
func stratifiedLog(tb testing.TB, p *schemas.Protocol, n int) (tableau.Schema, *tableau.Batch) {
	tb.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	rng, run, b := rand.New(rand.NewPCG(3, 1)), m.NewRunner(replay.Seed(7), "shop"), &tableau.Batch{}
	var out replay.Arrivals
	seen := int64(0)
	for i := range n {
		t := int64(i + 1)
		stratum := rng.Int64N(4)
		if stratum >= seen { // numbered as they come
			stratum = seen
			seen = min(seen+1, 4)
		}
		batch, known := int32(i/25), t+rng.Int64N(30)
		arm := run.Next(&replay.Round{Stratum: stratum, Batch: batch})
		reward := float64(rng.IntN(2))
		run.Hold(arm)
		if known >= int64(n) {
			known = tableau.NeverKnown
			run.Forget(t)
		} else {
			out.Push(replay.Arrival{Known: known, Round: t, Arm: arm, Reward: reward})
		}
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, t), append(b.Arm, int32(arm))
		b.Reward, b.Stratum, b.Batch, b.RewardRound = append(b.Reward, reward), append(b.Stratum, stratum), append(b.Batch, batch), append(b.RewardRound, known)
		for a, ok := out.Pop(t); ok; a, ok = out.Pop(t) {
			run.Due(a.Round)
			run.Add(a.Arm, a.Reward)
		}
	}
	if run.Err() != nil {
		tb.Fatal(run.Err())
	}
	return tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Stratum: true, Batch: true, RewardRound: true, Experiments: []tableau.Range{{ID: "shop", Rows: int64(n)}}}, b
}

// A seed gives again what the policy chose in every stratum, by its own noise and draws; of
// ten changed actions some show; and noise costs a row what it costs in its stratum.
func TestStrataBySeed(t *testing.T) {
	for _, pair := range [][2]string{{"ucb", "hybrid"}, {"ucb", "exact"}, {"epsilon-greedy", "exact"}, {"thompson", "exact"}} {
		for _, update := range []*schemas.Update{{Every: 1}, {Every: 7}, {Batch: true}} {
			p := protocol(pair[0], pair[1])
			p.Policy.By, p.Policy.Update = "leaf", update
			switch pair[0] {
			case "epsilon-greedy":
				p.Policy.Set("explore", 0.3)
			case "thompson":
				p.Policy.Set("prior", schemas.Values{"alpha": 1.0, "beta": 1.0})
			}
			schema, b := stratifiedLog(t, p, 300)
			out, _ := run(t, seeded(p, 7), slice(t, schema, b), nil)
			c := &out.Conformance
			if c.Mode != schemas.ModeSeed || c.Matched != 300 || c.Replayable != 300 {
				t.Errorf("%v, %+v: mode %s, %d of %d, %+v", pair, update, c.Mode, c.Matched, c.Replayable, c.FirstMismatch)
			}
			if e := out.Privacy.EpsilonMechanism; pair[1] == "hybrid" && (e == nil || float64(*e) > 0.3000001) {
				t.Errorf("%v, %+v: ε = %v", pair, update, e)
			}
			for i := 50; i < 250; i += 20 {
				b.Arm[i] = 1 - b.Arm[i]
			}
			out, _ = run(t, seeded(p, 7), slice(t, schema, b), nil)
			if c := &out.Conformance; c.Matched > 290 || c.FirstMismatch == nil || c.FirstMismatch.Round < 51 {
				t.Errorf("%v, %+v, ten changed actions: %d of %d", pair, update, c.Matched, c.Replayable)
			}
		}
	}
}

// releasedInStrata is a log of n rounds in strata, with what the policy saw: of an arm in its
// own stratum, as the declared counter releases it.
func releasedInStrata(tb testing.TB, p *schemas.Protocol, seed int64, n, strata int) (tableau.Schema, *tableau.Batch) {
	tb.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	rng, run, b, seen := rand.New(rand.NewPCG(uint64(seed), 1)), m.NewRunner(replay.Seed(seed), "shop"), &tableau.Batch{}, int64(0)
	for i := range n {
		s := min(rng.Int64N(int64(strata)), seen) // numbered as they come
		seen = max(seen, s+1)
		arm := run.Next(&replay.Round{Stratum: s})
		reward := float64(rng.IntN(2))
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, int64(i+1)), append(b.Arm, int32(arm))
		b.Reward, b.Stratum, b.ReleasedByArm = append(b.Reward, reward), append(b.Stratum, s), append(b.ReleasedByArm, run.Exact()...)
		run.Add(arm, reward)
	}
	if run.Err() != nil {
		tb.Fatal(run.Err())
	}
	return tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Stratum: true, ReleasedByArm: 1, Experiments: []tableau.Range{{ID: "shop", Rows: int64(n)}}}, b
}

// Released values are held against the sums of their own stratum, and what was released
// before in it: those of another differ.
func TestStrataReleased(t *testing.T) {
	p := protocol("ucb", "exact")
	p.Policy.By = "leaf"
	for _, strata := range []int{1, 2, 7} {
		schema, b := releasedInStrata(t, p, 7, 200, strata)
		for _, wrong := range []int64{0, 1} {
			if wrong > 0 {
				b.ReleasedByArm[398] += 5 // of the last round, before which it is right
			}
			out, _ := run(t, p, slice(t, schema, b), nil)
			r := out.Conformance.Released
			if r == nil || r.Compared == 0 || r.Differ != wrong || r.Changed > wrong || r.Actions != schemas.ActionsExact || r.Matched < r.Replayable-wrong {
				t.Errorf("%d strata, %d wrong: %+v", strata, wrong, r)
			}
		}
	}
}

// The noise that is in released values is that of its own stratum: of ten honest logs none is
// rejected, and none of their draws is left out. Noise of a third of the declared scale is found.
func TestStrataNoise(t *testing.T) {
	for _, counter := range []string{"hybrid", "binary"} {
		p := protocol("ucb", "hybrid")
		p.Policy.By, p.Counter.Name = "leaf", counter
		for seed := range int64(10) {
			schema, b := releasedInStrata(t, p, seed, 600, 5)
			for jobs := 1; jobs <= 2; jobs++ {
				d := declare(t, p)
				d.Jobs = jobs
				out, err := d.Run(context.Background(), slice(t, schema, b), &ledger.Disclosures{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				r := out.Conformance.Released
				if r == nil || r.Changed != 0 || r.Noise == nil || r.Noise.Rejected || r.Noise.OffGrid != 0 || r.Noise.Recovered < r.Noise.Releases {
					t.Fatalf("%s, seed %d: %+v", counter, seed, r)
				}
			}
		}
		schema, b := releasedInStrata(t, p, 1, 3000, 5)
		p.Counter.Epsilon = schemas.MustRational("0.1") // of thrice the noise
		out, _ := run(t, p, slice(t, schema, b), nil)
		if n := out.Conformance.Released.Noise; n == nil || !n.Rejected {
			t.Errorf("%s, a third of the noise: %+v", counter, n)
		}
	}
}
