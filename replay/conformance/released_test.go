package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/evidence/wager"
	"banditaudit/replay/ledger"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// shown is a log with what the policy saw.
type shown struct {
	schema tableau.Schema
	tableau.Batch
}

// shops is coin with batches of 7 rounds, and with rewards that become known up
// to 5 rounds later, or never, where late says so.
type shops struct {
	coin

	late   bool
	rounds int64
}

func (s shops) Enter(t int64, in *replay.Round) { in.Batch = int32(t / 7) }

func (s shops) Known(t int64) int64 {
	switch {
	case !s.late:
		return t
	case t%11 == 0:
		return replay.NeverKnown
	}
	return min(t+(t*7919)%6, s.rounds)
}

// show runs the protocol's bandit freely over n rounds with the seed made from
// a number.
func show(tb testing.TB, p *schemas.Protocol, n, seed int64, late bool) *shown {
	tb.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	l := &shown{Batch: tableau.Batch{X: make([][]float64, 1)}}
	l.schema = tableau.Schema{
		Propensity: m.Random(), ContextDim: 1, Arms: 2, Reward: [2]float64{0, 1}, ReleasedByArm: 1, RewardRound: late,
		Batch: p.Policy.Update != nil && p.Policy.Update.Batch, Experiments: []tableau.Range{{ID: "shop", Rows: n}},
	}
	err = m.Bandit(replay.Seed(seed), "shop", shops{late: late, rounds: n}, n, func(s *replay.Step) error {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, s.Round), append(l.Arm, int32(s.Arm))
		l.Reward, l.X[0] = append(l.Reward, s.Reward), append(l.X[0], s.Public.X[0])
		l.ReleasedByArm = append(l.ReleasedByArm, s.Released...)
		if l.schema.Propensity {
			l.Propensity = append(l.Propensity, s.Propensity)
		}
		if l.schema.RewardRound {
			l.RewardRound = append(l.RewardRound, s.Known)
		}
		if l.schema.Batch {
			l.Batch.Batch = append(l.Batch.Batch, s.Public.Batch)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func (l *shown) write(tb testing.TB) *tableau.Slice {
	tb.Helper()
	return slice(tb, l.schema, &l.Batch)
}

// unlogged is the log without its propensities.
func (l *shown) unlogged() *shown {
	out := *l
	out.schema.Propensity, out.Propensity = false, nil
	return &out
}

// noisy is a policy that reads sums with noise.
func noisy(policy, counter string) *schemas.Protocol {
	p := protocol(policy, counter)
	p.Counter.Epsilon = schemas.MustRational("1")
	if policy != "ucb" {
		p.Policy.Set("bonus", "")
	}
	if counter != "laplace" && counter != "epochs" {
		p.Counter.Horizon = 4000
	}
	switch policy {
	case "epsilon-greedy":
		p.Policy.Set("explore", 0.1)
	case "thompson":
		p.Policy.Set("prior", schemas.Values{"alpha": 1.0, "beta": 1.0})
	case "softmax":
		p.Policy.Set("eta", 1.0)
	case "successive-elimination":
		p.Policy.Set("width", schemas.Values{"delta": 0.05})
	case "linucb":
		p.Policy.Set("width", schemas.Values{"delta": 0.05})
		p.Policy.Set("lambda", 1.0)
		p.Policy.Set("theta_bound", 1.0)
		p.Policy.Set("noise_sd", 0.5)
		p.Policy.Set("context_l1", schemas.MustRational("6"))
	}
	return p
}

// honest are mechanisms that read noise, by a name.
func honest() map[string]*schemas.Protocol {
	out := make(map[string]*schemas.Protocol)
	for _, c := range []string{"laplace", "binary", "hybrid", "tree", "interval", "epochs"} {
		out["ucb × "+c] = noisy("ucb", c)
	}
	for _, p := range []string{"epsilon-greedy", "thompson", "softmax", "linucb"} {
		out[p+" × hybrid"] = noisy(p, "hybrid")
	}
	out["successive-elimination × epochs"] = noisy("successive-elimination", "epochs")
	every, batch, floor := noisy("ucb", "tree"), noisy("thompson", "hybrid"), noisy("ucb", "binary")
	every.Policy.Update = &schemas.Update{Every: 9}
	batch.Policy.Update = &schemas.Update{Batch: true}
	floor.Policy.Floor = schemas.Mix(0.05)
	out["every 9 rounds"], out["batches"], out["a floor"] = every, batch, floor
	return out
}

// A log of the declared mechanism is what it would have written, whatever the
// policy, the counter, the schedule and the delays, by its released values alone,
// and by seed and released values.
func TestReleasedValuesOfAnHonestLog(t *testing.T) {
	const n = 800
	for name, p := range honest() {
		t.Run(name, func(t *testing.T) {
			for _, late := range []bool{false, true} {
				p.Policy.Seed = nil
				l := show(t, p, n, 7, late)
				d := declare(t, p)
				s := l.write(t)
				var rows []transcript.Row
				out, book := run(t, p, s, gather(&rows))
				c := out.Conformance
				r := c.Released
				if c.Mode != schemas.ModeReleased || c.Matched != n || c.Replayable != n || c.FirstMismatch != nil || c.LastMismatch != nil {
					t.Fatalf("late %v: %+v, %+v", late, c, c.FirstMismatch)
				}
				if r.Changed != 0 || r.FirstChanged != nil || r.Compared != 0 || r.Matched != n || r.Noise == nil || r.Noise.Releases == 0 || r.Noise.OffGrid != 0 || r.Noise.Rejected {
					t.Errorf("late %v: %+v, noise %+v", late, r, r.Noise)
				}
				if random := d.Mechanism.Random(); random != (r.Allocation != nil) || random && (r.Allocation.Rejected || c.Propensities == nil || c.Propensities.Matched != n) {
					t.Errorf("late %v: allocation %+v, propensities %+v", late, r.Allocation, c.Propensities)
				}
				transcribed(t, l, d.Mechanism.Random(), rows)
				if b := book.List(); len(b) != 4 || b[2].Purpose != "conformance:binding" || b[0].Purpose != "conformance:released" {
					t.Errorf("late %v: booked %+v", late, b)
				}
				c = run2(t, seeded(p, 7), s)
				if r := c.Released; c.Mode != schemas.ModeSeed || c.Matched != n || r.Compared != 2*n || r.Differ != 0 || r.Changed != 0 {
					t.Errorf("late %v, with the seed: %+v, %+v", late, c, r)
				}
			}
		})
	}
}

func run2(tb testing.TB, p *schemas.Protocol, s *tableau.Slice) schemas.Conformance {
	tb.Helper()
	out, _ := run(tb, p, s, nil)
	return out.Conformance
}

// transcribed checks a transcript against what the log says.
func transcribed(t *testing.T, l *shown, random bool, rows []transcript.Row) {
	t.Helper()
	for i, row := range rows {
		arm := l.Arm[i]
		switch {
		case !random:
			if row.Arm != int(arm) || row.Propensities != nil {
				t.Fatalf("row %+v of arm %d", row, arm)
			}
		case row.Arm != -1 || row.Propensity != row.Propensities[arm] || math.Abs(row.Propensity-l.Propensity[i]) > 1e-9 || math.Abs(row.Propensities[0]+row.Propensities[1]-1) > 1e-6:
			t.Fatalf("row %+v of arm %d with propensity %v", row, arm, l.Propensity[i])
		}
	}
	if len(rows) != len(l.Arm) {
		t.Errorf("%d rows of %d", len(rows), len(l.Arm))
	}
}

// examined is the examination of a log of a policy that draws nothing, before
// the noise is held against its law.
func examined(tb testing.TB, p *schemas.Protocol, s *tableau.Slice) *seen {
	tb.Helper()
	j := declare(tb, p).begin(context.Background(), s, &ledger.Disclosures{})
	j.shows = true
	seen, err := j.see()
	if err != nil {
		tb.Fatal(err)
	}
	at, err := j.openRuns(seen.run, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if err = at.follow(j, func(answer int) error { seen.round(at, answer, nil); return nil }); err != nil {
		tb.Fatal(err)
	}
	return seen
}

// The recovered noise is that of the counter's own draws: in the order of rows
// the draws of the counter laplace, one per row, are what the arm's stream of
// the seed gives.
func TestRecoveredNoiseIsTheNoiseThatWasAdded(t *testing.T) {
	p := noisy("ucb", "laplace")
	l := show(t, p, 500, 3, false)
	seen := examined(t, p, l.write(t))
	// what each arm's counter adds to rewards of 0
	silent := mechanismOf(t, p, arms())
	zero := silent.NewRunner(replay.Seed(3), "shop")
	was, drawn := make([]float64, 2), make(map[int][]float64)
	for _, arm := range l.Arm {
		zero.Next(nil)
		zero.Add(int(arm), 0)
		drawn[int(arm)] = append(drawn[int(arm)], zero.Released(int(arm))-was[arm])
		was[arm] = zero.Released(int(arm))
	}
	got := make(map[int][]float64)
	for _, d := range seen.noise.Draws() {
		got[d.Arm] = append(got[d.Arm], d.Value)
	}
	last := int(l.Arm[len(l.Arm)-1]) // the reward of the last round is in no release that is logged
	drawn[last] = drawn[last][:len(drawn[last])-1]
	for arm, want := range drawn {
		if !slices.Equal(got[arm], want) {
			t.Errorf("arm %d: %d draws of %d, or other ones", arm, len(got[arm]), len(want))
		}
	}
}

// An action that is not the policy's is found in its round, and the rounds
// after it are compared on; so is one that the policy cannot play.
func TestReleasedValuesConvictAnAction(t *testing.T) {
	p := noisy("ucb", "hybrid")
	l := show(t, p, 300, 7, false)
	l.Arm[299] = 1 - l.Arm[299]
	c := run2(t, p, l.write(t))
	if c.Matched != 299 || c.FirstMismatch == nil || c.FirstMismatch.Round != 300 || *c.LastMismatch != 300 || c.FirstMismatch.Logged != arms()[l.Arm[299]] {
		t.Errorf("ucb: %+v, %+v", c, c.FirstMismatch)
	}
	p = noisy("epsilon-greedy", "hybrid")
	p.Policy.Set("explore", 0.0)
	l = show(t, p, 300, 7, false).unlogged()
	l.Arm[299] = 1 - l.Arm[299]
	c = run2(t, p, l.write(t))
	if a := c.Released.Allocation; c.Matched != 299 || c.FirstMismatch.Round != 300 || !a.Rejected || *a.Round != 300 || a.P != 0 {
		t.Errorf("greedy: %+v, %+v, %+v", c, c.FirstMismatch, a)
	}
}

// A policy that explores twice as often as declared, without logged
// propensities, loses the wager; at a rate of 1/1000 a declared one does, by
// Ville's inequality (see TestWagerIsFair), and with these seeds none does.
func TestReleasedValuesConvictAnAllocation(t *testing.T) {
	declared, played := noisy("epsilon-greedy", "hybrid"), noisy("epsilon-greedy", "hybrid")
	played.Policy.Set("explore", 0.3)
	c := run2(t, declared, show(t, played, 2000, 7, false).unlogged().write(t))
	if a := c.Released.Allocation; !a.Rejected || *a.Round > 2000 || c.Propensities != nil || c.Matched != 2000 {
		t.Errorf("allocation %+v of %+v", a, c)
	}
	if a := run2(t, declared, show(t, declared, 2000, 7, false).unlogged().write(t)).Released.Allocation; a.Rejected || a.P < wager.Level {
		t.Errorf("honest: %+v", a)
	}
}

// A value that changes where nothing was released is a redraw, and is named by
// its round, arm and values; one within a billionth is the same.
func TestRedrawIsSeen(t *testing.T) {
	for _, name := range []string{"ucb × hybrid", "ucb × epochs", "every 9 rounds"} {
		p := honest()[name]
		rapid.Check(t, func(r *rapid.T) {
			l := show(t, p, 60, 7, false)
			row := rapid.IntRange(1, 58).Draw(r, "row")
			arm := rapid.IntRange(0, 1).Draw(r, "arm")
			if l.Arm[row-1] == int32(arm) && p.Policy.Update == nil {
				arm = 1 - arm // it was not played, so nothing new was released of it
			}
			if p.Policy.Update != nil && row%9 == 0 {
				r.Skip("the policy learned before this round")
			}
			shift := rapid.SampledFrom([]float64{-3, 1e-3, 0.5, 1e-12}).Draw(r, "shift")
			at := 2*row + arm
			was := l.ReleasedByArm[at]
			l.ReleasedByArm[at] += shift
			got := examined(t, p, l.write(t)).out
			if shift < 1e-9 && shift > 0 {
				if got.Changed != 0 || got.FirstChanged != nil {
					r.Errorf("a rounding is a redraw: %+v", got.FirstChanged)
				}
				return
			}
			want := schemas.ReleasedPlace{Round: int64(row + 1), Arm: arms()[arm], Logged: was + shift, Expected: l.ReleasedByArm[at-2]}
			redrawn := p.Policy.Update == nil && p.Counter.Name == "hybrid"
			if got.Changed < 1 || redrawn && got.Redrawn < 1 || got.Redrawn > got.Changed || got.FirstChanged == nil || *got.FirstChanged != want {
				r.Errorf("%d changes, the first %+v, want %+v", got.Changed, got.FirstChanged, want)
			}
		})
	}
}

// A policy that learns more often than declared shows values that change where
// nothing is released; but only those of arms of which rewards have arrived, so
// that nothing of it is a redraw.
func TestExtraUpdatesAreNoRedraw(t *testing.T) {
	declared, played := noisy("ucb", "hybrid"), noisy("ucb", "hybrid")
	declared.Policy.Update, played.Policy.Update = &schemas.Update{Every: 10}, &schemas.Update{Every: 5}
	got := examined(t, declared, show(t, played, 400, 7, false).write(t)).out
	if got.Changed < 30 || got.Redrawn != 0 || got.FirstChanged.Round != 6 {
		t.Errorf("%d changes, %d of them redraws, the first %+v", got.Changed, got.Redrawn, got.FirstChanged)
	}
}

// Before anything is released of an arm, 0 is what the policy sees.
func TestSomethingBeforeTheFirstRelease(t *testing.T) {
	p := noisy("ucb", "hybrid")
	l := show(t, p, 60, 7, false)
	l.ReleasedByArm[1] = 2
	got := run2(t, p, l.write(t)).Released
	if want := (schemas.ReleasedPlace{Round: 1, Arm: "blue", Logged: 2}); got.Changed != 2 || got.Redrawn != 2 || *got.FirstChanged != want {
		t.Errorf("%d changes, the first %+v", got.Changed, got.FirstChanged)
	}
}

// What the counter exact releases is known, and so is, with a seed, what any
// counter does. A column with two decimals is compared to half a unit of them.
func TestReleasedValuesAreThoseOfAKnownCounter(t *testing.T) {
	exact, known := protocol("ucb", "exact"), seeded(noisy("ucb", "hybrid"), 7)
	for name, p := range map[string]*schemas.Protocol{"exact": exact, "seed": known} {
		l := show(t, p, 200, 7, false)
		c := run2(t, p, l.write(t))
		if r := c.Released; c.Mode != schemas.ModeSeed || r.Compared != 400 || r.Differ != 0 || r.FirstDiffer != nil || r.Actions != schemas.ActionsExact || r.Matched != 200 || (r.Noise == nil) != (name == "exact") {
			t.Errorf("%s: %+v", name, r)
		}
		rounded := *l
		rounded.ReleasedByArm = slices.Clone(l.ReleasedByArm)
		for i, v := range rounded.ReleasedByArm {
			rounded.ReleasedByArm[i] = math.Round(v*100) / 100
		}
		if r := run2(t, p, rounded.write(t)).Released; r.Differ != 0 || r.Changed != 0 {
			t.Errorf("%s, rounded: %+v", name, r)
		}
		l.ReleasedByArm[2*150+1] += 0.5
		r := run2(t, p, l.write(t)).Released
		if want := (schemas.ReleasedValue{Round: 151, Arm: "blue", Logged: l.ReleasedByArm[301]}); r.Differ != 1 || *r.FirstDiffer != want {
			t.Errorf("%s: %d differ, the first %+v", name, r.Differ, r.FirstDiffer)
		}
	}
}

// Beside a seed, what a policy draws is left to the seed.
func TestSeedDecidesWhatIsDrawn(t *testing.T) {
	p := seeded(noisy("thompson", "hybrid"), 7)
	l := show(t, p, 200, 7, false)
	if r := run2(t, p, l.write(t)).Released; r.Actions != schemas.ActionsSeed || r.Replayable != 0 || r.Allocation != nil || r.Compared != 400 || r.Noise == nil {
		t.Errorf("%+v", r)
	}
}

// Logged propensities that are not the policy's are found with released values.
func TestReleasedValuesConvictPropensities(t *testing.T) {
	p := noisy("thompson", "hybrid")
	l := show(t, p, 100, 7, false)
	l.Propensity[40] -= 0.001
	c := run2(t, p, l.write(t))
	if c.Matched != 99 || c.Propensities.Matched != 99 || c.FirstMismatch.Round != 41 || *c.LastMismatch != 41 || !strings.Contains(c.FirstMismatch.Logged, "with propensity") {
		t.Errorf("%+v, %+v", c, c.FirstMismatch)
	}
}

// Values that the policy does not read are no evidence: of a policy without
// sums they are not looked at, and of another number for each arm the log is
// refused.
func TestReleasedValuesThatDoNotFit(t *testing.T) {
	l := show(t, noisy("ucb", "hybrid"), 60, 7, false)
	if c := run2(t, protocol("uniform", ""), l.write(t)); c.Released != nil || c.Mode != schemas.ModeNone {
		t.Errorf("uniform: %+v", c)
	}
	l.schema.ReleasedByArm = 2
	l.ReleasedByArm = append(l.ReleasedByArm, l.ReleasedByArm...)
	_, err := declare(t, noisy("ucb", "hybrid")).Run(context.Background(), l.write(t), &ledger.Disclosures{}, nil)
	if err == nil || !strings.Contains(err.Error(), "2 values for every arm, and the policy ucb reads 1") {
		t.Errorf("error %v", err)
	}
}

func TestReleasedRunErrors(t *testing.T) {
	p := noisy("ucb", "hybrid")
	s := show(t, p, 60, 7, false).write(t)
	book := &ledger.Disclosures{}
	book.Close()
	if _, err := declare(t, p).Run(context.Background(), s, book, nil); err == nil || !strings.Contains(err.Error(), "refuses") {
		t.Errorf("error %v", err)
	}
}

// One worker and two find the same, to the byte, of a log that is honest and of one in which
// values, and so actions, are not what they were; and of two errors that of the earlier
// round is the one.
func TestReleasedByTwoWorkers(t *testing.T) {
	full := errors.New("disk full")
	for name, p := range honest() {
		d := declare(t, p)
		for _, late := range []bool{false, true} {
			l := show(t, p, 120, 7, late)
			for _, shift := range []float64{0, 0.5}[:1+b2i(!late && p.Counter.Name == "tree")] { // what explains a fault takes its time
				l.ReleasedByArm[2*60] += shift
				s := l.write(t)
				var found [2]string
				for i := range found {
					d.Jobs = i + 1
					var rows []transcript.Row
					out, err := d.Run(context.Background(), s, &ledger.Disclosures{}, gather(&rows))
					bytes, failed := schemas.Encode(&out)
					if err = errors.Join(err, failed); err != nil {
						t.Fatal(err)
					}
					found[i] = fmt.Sprint(string(bytes), rows)
				}
				if found[0] != found[1] {
					t.Errorf("%s, late %v, shifted by %g: two workers find\n%s\nand one\n%s", name, late, shift, found[1], found[0])
				}
			}
			l.schema.Reward[1], l.Reward[49] = 2, 2 // which the protocol does not allow
			s := l.write(t)
			for _, fails := range []int64{40, 110} {
				last := int64(0)
				_, err := d.Run(context.Background(), s, &ledger.Disclosures{}, func(r transcript.Row) error {
					if last = r.Round; last == fails {
						return full
					}
					return nil
				})
				if err == nil || errors.Is(err, full) != (fails == 40) || last > 60 {
					t.Errorf("%s, late %v: error %v after round %d", name, late, err, last)
				}
			}
		}
	}
}

func BenchmarkReleased(b *testing.B) {
	p := protocol("ucb", "hybrid")
	s := show(b, p, rounds, 7, false).write(b)
	for b.Loop() {
		run(b, p, s, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rounds, "ns/round")
}
