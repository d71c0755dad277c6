package conformance

import (
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
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

// Released values are held against the sums of their own stratum: those of another differ.
func TestStrataReleased(t *testing.T) {
	p := protocol("ucb", "exact")
	p.Policy.By = "leaf"
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		t.Fatal(err)
	}
	const n = 200
	rng, run1, b, sums := rand.New(rand.NewPCG(3, 1)), m.NewRunner(replay.Seed(7), "shop"), &tableau.Batch{}, [2][2]float64{}
	for i := range n {
		s := int64(i % 2)
		arm, reward := run1.Next(&replay.Round{Stratum: s}), float64(rng.IntN(2))
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, int64(i+1)), append(b.Arm, int32(arm))
		b.Reward, b.Stratum, b.ReleasedByArm = append(b.Reward, reward), append(b.Stratum, s), append(b.ReleasedByArm, sums[s][:]...)
		sums[s][arm] += reward
		run1.Add(arm, reward)
	}
	schema := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Stratum: true, ReleasedByArm: 1, Experiments: []tableau.Range{{ID: "shop", Rows: n}}}
	for _, wrong := range []int64{0, 1} {
		if wrong > 0 {
			b.ReleasedByArm[100] += 5
		}
		out, _ := run(t, p, slice(t, schema, b), nil)
		if r := out.Conformance.Released; r == nil || r.Compared == 0 || r.Differ != wrong {
			t.Errorf("%d wrong: %+v", wrong, r)
		}
	}
}
