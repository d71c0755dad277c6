package replay

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// stratified declares a policy with a state for each stratum, and the same without.
func stratified(tb testing.TB, name string, update *schemas.Update, set map[string]any) (by, one *Mechanism) {
	tb.Helper()
	build := func(column schemas.By) *Mechanism {
		p := &schemas.Protocol{
			Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a", "b", "c"},
			Policy: &schemas.Policy{Name: name, Update: update, By: column}, Counter: &schemas.Counter{Name: "exact"},
		}
		for key, value := range set {
			p.Policy.Set(key, value)
		}
		m, err := Standard().New(p, p.Arms)
		if err != nil {
			tb.Fatal(err)
		}
		return m
	}
	return build("leaf"), build("")
}

// Where more strata than can have tables of their own take turns, each has the propensities,
// bit by bit, of a run of its own.
func TestStrataShareTables(t *testing.T) {
	const strata, turns = policy.MostTabled/3 + 40, 3
	for _, set := range []map[string]any{
		{"prior": schemas.Values{"alpha": 1.0, "beta": 1.0}},
		{"prior": schemas.Values{"alpha": 0.5, "beta": 2.0}, "top": 2.0},
		{"prior": schemas.Values{"mean": 0.5, "variance": 1.0, "noise": 0.25}},
	} {
		by, one := stratified(t, "thompson", nil, set)
		all, alone := by.NewRunner([32]byte{}, "e"), make([]*Runner, strata)
		rng := rand.New(rand.NewPCG(7, 1))
		for i := range strata * turns {
			at := i % strata
			if i < strata {
				alone[at] = one.NewRunner([32]byte{}, "e")
			}
			all.Next(&Round{Stratum: int64(at)})
			alone[at].Next(nil)
			if got, want := all.Propensities(), alone[at].Propensities(); !slices.Equal(got, want) {
				t.Fatalf("%v, round %d: %v, alone %v", set, i, got, want)
			}
			arm, reward := rng.IntN(3), float64(rng.IntN(2))
			all.Add(arm, reward)
			alone[at].Add(arm, reward)
		}
	}
}

// What a state takes in memory is about what RunBytes says.
func TestRunBytes(t *testing.T) {
	const strata = 6000
	for name, set := range map[string]map[string]any{
		"ucb":            {"width": schemas.Values{"c": 2.0, "clock": "plays"}},
		"thompson":       {"prior": schemas.Values{"alpha": 1.0, "beta": 1.0}},
		"epsilon-greedy": {"explore": 0.1},
	} {
		by, _ := stratified(t, name, nil, set)
		before, after := runtime.MemStats{}, runtime.MemStats{}
		runtime.GC()
		runtime.ReadMemStats(&before)
		run := by.NewRunner([32]byte{}, "e")
		for i := range 3 * strata {
			run.Next(&Round{Stratum: int64(i % strata)})
			run.Propensities()
			run.Add(i%3, float64(i%2))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		got, want := float64(after.HeapAlloc-before.HeapAlloc)/strata, float64(by.RunBytes(0, strata))/strata
		t.Logf("%s: %.0f bytes a state, estimated %.0f", name, got, want)
		if !(got > want/2 && got < 1.5*want) {
			t.Errorf("%s: a state takes %.0f bytes, estimated are %.0f", name, got, want)
		}
		runtime.KeepAlive(run)
	}
}

// A stratum is decided as a run of its own rounds alone, whose rewards become known where
// they do and whose batches begin where those of the whole run do.
func TestStrataAreRunsOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		update := &schemas.Update{Every: rapid.Int64Range(1, 4).Draw(rt, "every")}
		if rapid.Bool().Draw(rt, "batched") {
			update = &schemas.Update{Batch: true}
		}
		by, one := stratified(t, "ucb", update, map[string]any{"width": schemas.Values{"c": 2.0, "clock": "plays"}})
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		late := rapid.Bool().Draw(rt, "late")
		type round struct {
			stratum     int64
			batch       int32
			arm         int
			reward      float64
			known       int64 // after that round of the whole run
			want, wants int
		}
		rounds := make([]round, 60)
		batch := int32(0)
		for i := range rounds {
			if rng.IntN(6) == 0 && i > 0 {
				batch++
			}
			rounds[i] = round{stratum: int64(rng.IntN(3)), batch: batch, arm: rng.IntN(3), reward: float64(rng.IntN(2)), known: int64(i + 1)}
			if late {
				rounds[i].known += int64(rng.IntN(12))
			}
		}
		all := by.NewRunner([32]byte{}, "e")
		play := func(r *Runner, of func(*round) bool, batchOf func(i int) int32, got func(*round, int)) {
			var out Arrivals
			local := int64(0)
			for i := range rounds {
				x := &rounds[i]
				if of(x) {
					local++
					got(x, r.Next(&Round{Batch: batchOf(i), Stratum: x.stratum}))
					r.Hold(x.arm)
					out.Push(Arrival{Known: x.known, Round: local, Arm: x.arm, Reward: x.reward})
				}
				for a, ok := out.Pop(int64(i + 1)); ok; a, ok = out.Pop(int64(i + 1)) {
					r.Due(a.Round)
					r.Add(a.Arm, a.Reward)
				}
			}
			if err := r.Err(); err != nil {
				rt.Fatal(err)
			}
		}
		play(all, func(*round) bool { return true }, func(i int) int32 { return rounds[i].batch }, func(x *round, arm int) { x.want = arm })
		for stratum := range int64(3) {
			if late && update.Batch {
				continue // a run of its own learns with its next round, and not when the batch changes
			}
			play(one.NewRunner([32]byte{}, "e"), func(x *round) bool { return x.stratum == stratum }, func(i int) int32 { return rounds[i].batch }, func(x *round, arm int) { x.wants = arm })
		}
		for i, x := range rounds {
			if x.want != x.wants && (!late || !update.Batch) {
				rt.Fatalf("round %d of stratum %d: %d, and a run of its own has %d", i+1, x.stratum, x.want, x.wants)
			}
		}
	})
}

// Every state learns what was known when the batch changed, and nothing that came between
// that and its own next round.
func TestStrataLearnWhereTheBatchChanges(t *testing.T) {
	by, _ := stratified(t, "epsilon-greedy", &schemas.Update{Batch: true}, map[string]any{"explore": 0.0, "start": "none"})
	r := by.NewRunner([32]byte{}, "e")
	r.Next(&Round{Stratum: 1}) // round 1, whose reward comes after the batch has changed
	r.Hold(2)
	r.Next(&Round{Stratum: 1})
	r.Add(1, 0.5)
	r.Next(&Round{Stratum: 0, Batch: 1})
	r.Add(0, 0)
	r.Due(1)
	r.Add(2, 1)
	if arm := r.Next(&Round{Stratum: 1, Batch: 1}); arm != 1 {
		t.Errorf("arm %d: the reward that came after the change is none of what was learned", arm)
	}
	r.Add(0, 0)
	if arm := r.Next(&Round{Stratum: 1, Batch: 2}); arm != 2 || r.Err() != nil {
		t.Errorf("arm %d, %v", arm, r.Err())
	}
}

// Streams of strata are apart, and the same from run to run.
func TestStrataDrawApart(t *testing.T) {
	by, one := stratified(t, "uniform", nil, nil)
	draw := func(m *Mechanism, stratum int64) (arms []int) {
		r := m.NewRunner(Seed(1), "e")
		for range 20 {
			arms = append(arms, r.Next(&Round{Stratum: stratum}))
			r.Add(0, 0)
		}
		return arms
	}
	own := Stream(Seed(1), PurposePolicy+".by.1", "e", NoArm)
	plain := Stream(Seed(1), PurposePolicy, "e", NoArm)
	if a := draw(by, 1); !slices.Equal(a, draw(by, 1)) || slices.Equal(a, draw(by, 0)) || slices.Equal(a, draw(one, 1)) {
		t.Error("streams are not as they should be")
	}
	if own.Uint64() == plain.Uint64() {
		t.Error("one stream")
	}
}

// What is not waited for is an error of the run, and names its round.
func TestStrataSayWhatWentWrong(t *testing.T) {
	by, _ := stratified(t, "ucb", nil, map[string]any{"width": schemas.Values{"c": 2.0}})
	for name, wrong := range map[string]func(r *Runner){
		"not held": func(r *Runner) { r.Due(7); r.Add(0, 0) },
		"no arm":   func(r *Runner) { r.Add(3, 0) },
		"a reward": func(r *Runner) { r.Add(0, 2) },
	} {
		r := by.NewRunner([32]byte{}, "e")
		r.Next(&Round{Stratum: 4})
		wrong(r)
		if r.Err() == nil {
			t.Error(name)
		}
	}
	r := by.NewRunner([32]byte{}, "e")
	r.Next(nil)
	r.Hold(0)
	r.Due(1)
	r.Forget(1)
	if r.Add(0, 0); r.Err() != nil {
		t.Error(r.Err())
	}
}

func ExampleRunner_strata() {
	p := &schemas.Protocol{
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a", "b"},
		Policy: &schemas.Policy{Name: "ucb", By: "leaf"}, Counter: &schemas.Counter{Name: "exact"},
	}
	p.Policy.Set("width", schemas.Values{"c": 2.0, "clock": "plays"})
	m, _ := Standard().New(p, p.Arms)
	r := m.NewRunner([32]byte{}, "e")
	for _, stratum := range []int64{0, 1, 0, 1} {
		arm := r.Next(&Round{Stratum: stratum})
		fmt.Print(p.Arms[arm], " ")
		r.Add(arm, 1)
	}
	// Output: a a b b
}
