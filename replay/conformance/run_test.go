package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// rounds spans two record batches, so that chunks are crossed.
const rounds = tableau.BatchRows + 3000

// log is a logged run to be written as a tableau.
type log struct {
	tableau.Batch
}

// coin pays 1 in a fixed pattern, arm 1 more often; its contexts are (t, arm of
// nobody) and matter to nothing.
type coin struct{}

func (coin) Dim() int { return 1 }

func (coin) Context(t int64, dst []float64) { dst[0] = float64(t % 7) }

func (coin) Reward(t int64, arm int) float64 {
	if (t*2654435761>>7)%10 < int64(5+arm) {
		return 1
	}
	return 0
}

func protocol(policy, counter string) *schemas.Protocol {
	p := &schemas.Protocol{
		Policy: &schemas.Policy{Name: policy},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	if policy == "ucb" {
		p.Policy.Set("width", schemas.Values{"delta": 0.05})
	}
	if counter != "" {
		p.Counter = &schemas.Counter{Name: counter}
	}
	if counter == "hybrid" {
		p.Policy.Set("bonus", "quantile")
		p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.3"), rounds
	}
	return p
}

func arms() []string { return []string{"control", "blue"} }

// play runs the protocol's bandit freely with the seed made from 7.
func play(tb testing.TB, p *schemas.Protocol) *log {
	tb.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	l := &log{tableau.Batch{X: make([][]float64, 1)}}
	err = m.Bandit(replay.Seed(7), "shop", coin{}, rounds, func(s *replay.Step) error {
		l.Experiment = append(l.Experiment, 0)
		l.Round = append(l.Round, s.Round)
		l.Arm = append(l.Arm, int32(s.Arm))
		l.Reward = append(l.Reward, s.Reward)
		l.X[0] = append(l.X[0], s.Public.X[0])
		if m.Random() {
			l.Propensity = append(l.Propensity, s.Propensity)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// write writes the log as a tableau and opens its one experiment.
func (l *log) write(tb testing.TB) *tableau.Slice {
	tb.Helper()
	return slice(tb, tableau.Schema{
		Propensity: l.Propensity != nil, ContextDim: 1, Arms: 2, Reward: [2]float64{0, 1},
		Experiments: []tableau.Range{{ID: "shop", Rows: int64(len(l.Arm))}},
	}, &l.Batch)
}

// mechanismOf is the mechanism that a protocol declares.
func mechanismOf(tb testing.TB, p *schemas.Protocol, arms []string) *replay.Mechanism {
	tb.Helper()
	out, err := replay.Standard().New(p, arms)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// slice is the one experiment of a tableau of these rows.
func slice(tb testing.TB, s tableau.Schema, b *tableau.Batch) *tableau.Slice {
	tb.Helper()
	return ingesttest.Tableau(tb, s, b).Slice(0)
}

func seeded(p *schemas.Protocol, n int64) *schemas.Protocol {
	seed := replay.Seed(n)
	p.Policy.Seed = &schemas.Seed{File: "seed.hex", Bytes: seed[:]}
	return p
}

func declare(tb interface{ Fatal(...any) }, p *schemas.Protocol) *Declared {
	d, err := Declare(replay.Standard(), p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func run(tb testing.TB, p *schemas.Protocol, s *tableau.Slice, sink func(transcript.Row) error) (schemas.ReplayExperiment, *ledger.Disclosures) {
	tb.Helper()
	book := &ledger.Disclosures{}
	d := declare(tb, p)
	out, err := d.Run(context.Background(), s, book, sink)
	if err != nil {
		tb.Fatal(err)
	}
	if _, timed := tb.(*testing.B); timed {
		return out, book
	}
	wantSame(tb, "read from a file", &out, copied(tb, &out))
	if sink != nil { // as replay has one, and analyze has none
		again, err := d.Run(context.Background(), s, &ledger.Disclosures{}, nil)
		if err != nil {
			tb.Fatal(err)
		}
		wantSame(tb, "without a transcript", &out, &again)
	}
	return out, book
}

func TestSeedReplaysEveryRound(t *testing.T) {
	both := &schemas.PropensityReplay{Rounds: rounds, Matched: rounds, Decimals: new(int64(1))}
	for _, pair := range [][2]string{{"ucb", "hybrid"}, {"ucb", "exact"}, {"uniform", ""}, {"uniform", "hybrid"}} {
		p := protocol(pair[0], pair[1])
		if pair[0] == "uniform" {
			p.Policy.Set("bonus", "")
		}
		s := play(t, p).write(t)
		out, book := run(t, seeded(p, 7), s, nil)
		want := schemas.Conformance{Mode: schemas.ModeSeed, Undrawn: pair == [2]string{"ucb", "exact"}, Rounds: rounds, Replayable: rounds, Matched: rounds}
		if pair[0] == "uniform" {
			want.Propensities = both // 0.5 in every round
			out.Conformance.Propensities = summed(t, out.Conformance.Propensities)
		}
		if x := out.Conformance.NearTies; (x == nil) != (pair[0] == "uniform") || x.Rests() {
			t.Errorf("%v: near ties %+v", pair, x)
		}
		if x := out.Conformance.Binding; x == nil || x.Any != (pair[0] == "uniform") || x.Any == (len(x.Arms) == 2) {
			t.Errorf("%v: binding %+v", pair, x)
		}
		out.Conformance.NearTies, out.Conformance.Binding = nil, nil
		if diff := cmp.Diff(want, out.Conformance); diff != "" {
			t.Errorf("%v (-want +got):\n%s", pair, diff)
		}
		if out.ID != "shop" {
			t.Errorf("%v: experiment %q", pair, out.ID)
		}
		// Rewards are read in one booked feed, and only if they matter.
		list := book.List()
		if pair[0] == "uniform" && len(list) != 0 {
			t.Errorf("%v: booked %+v without a need", pair, list)
		}
		if feed := (ledger.Booking{Purpose: "replay:ucb × " + pair[1], Rows: rounds, Columns: []string{"reward"}, Law: "ucb × " + pair[1]}); pair[0] == "ucb" {
			changed := feed
			changed.Purpose += ", changed rewards"
			changed.Law += ", changed rewards"
			exactly := ledger.Booking{Purpose: "conformance:binding", Rows: rounds, Columns: []string{"reward", "arm"}}
			if diff := cmp.Diff([]ledger.Booking{feed, exactly, changed}, list); diff != "" {
				t.Errorf("%v: bookings (-want +got):\n%s", pair, diff)
			}
		}
	}
}

func TestSeedNamesTheFirstMismatch(t *testing.T) {
	p := seeded(protocol("ucb", "hybrid"), 7)
	l := play(t, p)
	const at = tableau.BatchRows + 17 // in the second record batch
	was := l.Arm[at]
	l.Arm[at] = 1 - was
	out, _ := run(t, p, l.write(t), nil)
	want := &schemas.Mismatch{Round: at + 1, Logged: arms()[1-was], Replayed: arms()[was]}
	if diff := cmp.Diff(want, out.Conformance.FirstMismatch); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c := out.Conformance
	if c.Replayable != rounds || c.Matched >= rounds || c.Matched < at {
		t.Errorf("matched %d of %d", c.Matched, c.Replayable)
	}
}

func TestWrongSeedIsSeen(t *testing.T) {
	p := protocol("ucb", "hybrid")
	p.Policy.Set("bonus", "none") // with wider noise one arm is played nearly always, whatever the seed
	p.Counter.Epsilon = schemas.MustRational("8")
	l := play(t, p)
	out, _ := run(t, seeded(p, 8), l.write(t), nil)
	if c := out.Conformance; c.Mode != schemas.ModeSeed || c.Matched > rounds*9/10 || c.FirstMismatch == nil {
		t.Errorf("another seed matches %d of %d rounds", c.Matched, c.Replayable)
	}
}

// The same log under another declared ε, width or policy is contradicted.
func TestWrongDeclarationIsSeen(t *testing.T) {
	s := play(t, protocol("ucb", "hybrid")).write(t)
	for name, change := range map[string]func(p *schemas.Protocol){
		"epsilon": func(p *schemas.Protocol) { p.Counter.Epsilon = schemas.MustRational("0.31") },
		"width":   func(p *schemas.Protocol) { p.Policy.Set("width", schemas.Values{"c": 2.0}) },
		"bonus":   func(p *schemas.Protocol) { p.Policy.Set("bonus", "none") },
		"exact":   func(p *schemas.Protocol) { p.Policy.Set("bonus", "none"); p.Counter = &schemas.Counter{Name: "exact"} },
	} {
		p := seeded(protocol("ucb", "hybrid"), 7)
		change(p)
		if out, _ := run(t, p, s, nil); out.Conformance.Matched == rounds {
			t.Errorf("another %s matches every round", name)
		}
	}
}

func TestDeterministicNeedsNoSeed(t *testing.T) {
	p := protocol("ucb", "exact")
	out, _ := run(t, p, play(t, p).write(t), nil)
	if c := out.Conformance; c.Mode != schemas.ModeSeed || c.Matched != rounds {
		t.Errorf("mode %s, matched %d", c.Mode, c.Matched)
	}
	if a := out.Privacy; !math.IsInf(float64(*a.EpsilonMechanism), 1) || !math.IsInf(float64(*a.SumSquaredCosts), 1) || a.EpsilonClaimed != nil {
		t.Errorf("accounting %+v", a)
	}
}

func TestNoSeedNoEvidence(t *testing.T) {
	p := protocol("ucb", "hybrid")
	out, book := run(t, p, play(t, p).write(t), func(transcript.Row) error { return errors.New("nothing can be recomputed") })
	want := schemas.Conformance{Mode: schemas.ModeNone, Rounds: rounds}
	if diff := cmp.Diff(want, out.Conformance); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(book.List()) != 0 {
		t.Error("rewards were read for nothing")
	}
	if out.Privacy.EpsilonMechanism == nil {
		t.Error("the accounting needs no seed")
	}
}

func TestNoPolicy(t *testing.T) {
	s := play(t, protocol("uniform", "")).write(t)
	out, book := run(t, &schemas.Protocol{}, s, nil)
	want := schemas.ReplayExperiment{
		ID:          "shop",
		Conformance: schemas.Conformance{Mode: schemas.ModeNone, Rounds: rounds},
		Privacy:     schemas.Accounting{Notes: []string{}, Mechanisms: []schemas.Mechanism{}, Levels: []schemas.CostLevel{}},
	}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(book.List()) != 0 {
		t.Error("rewards were read")
	}
	claim := &schemas.Protocol{Privacy: &schemas.Privacy{Definition: "pure", Unit: "round", Epsilon: schemas.MustRational("1/3"), Delta: new(0.0)}}
	a, _, err := declare(t, claim).Account(context.Background(), s)
	if err != nil || float64(*a.EpsilonClaimed) != 1.0/3 || *a.DeltaClaimed != 0 || a.EpsilonMechanism != nil || a.EpsilonRealized != nil || a.SumSquaredCosts != nil {
		t.Errorf("a claim without a policy: %+v (%v)", a, err)
	}
}

func TestPropensities(t *testing.T) {
	p := protocol("uniform", "")
	l := play(t, p)
	out, _ := run(t, p, l.write(t), nil)
	want := schemas.Conformance{
		Mode: schemas.ModePropensity, Rounds: rounds, Replayable: rounds, Matched: rounds,
		Propensities: &schemas.PropensityReplay{Rounds: rounds, Matched: rounds, Decimals: new(int64(1))},
	}
	out.Conformance.Propensities, out.Conformance.Binding = summed(t, out.Conformance.Propensities), nil
	if diff := cmp.Diff(want, out.Conformance); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	l.Propensity[4] *= 1 + 9e-7 // within the tolerance
	l.Propensity[9] = 0.25
	l.Propensity[20] *= 1 + 2e-6
	out, _ = run(t, p, l.write(t), nil)
	if c := out.Conformance; c.Matched != rounds-2 || c.FirstMismatch == nil || c.FirstMismatch.Round != 10 || !strings.Contains(c.FirstMismatch.Logged, "0.25") || !strings.Contains(c.FirstMismatch.Replayed, "0.5") {
		t.Errorf("conformance %+v, first mismatch %+v", c, c.FirstMismatch)
	}
}

func TestAccounting(t *testing.T) {
	p := seeded(protocol("ucb", "hybrid"), 7)
	p.Privacy = &schemas.Privacy{Epsilon: schemas.MustRational("0.25")}
	l := play(t, p)
	s := l.write(t)
	out, _ := run(t, p, s, nil)
	a := out.Privacy
	alone, _, err := declare(t, p).Account(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, alone); diff != "" {
		t.Errorf("the accounting without a replay differs (-with +without):\n%s", diff)
	}
	var pulls [2]int64
	for _, arm := range l.Arm {
		pulls[arm]++
	}
	// The float64 0.3 is below 3/10, so ε = 3/10 is printed as the next one.
	up := math.Nextafter(0.3, 1)
	if a.Definition != "pure" || a.Unit != "round" || float64(*a.EpsilonClaimed) != 0.25 || float64(*a.EpsilonMechanism) != up || float64(*a.EpsilonRealized) != up {
		t.Errorf("words or totals of %+v: ε %v, realised %v", a, *a.EpsilonMechanism, *a.EpsilonRealized)
	}
	rows, releases := map[string]int64{}, map[string]int64{}
	var squares float64
	zero := 0
	for _, v := range a.Levels {
		rows[v.Arm] += v.Rows
		squares += float64(v.Cost) * float64(v.Cost) * float64(v.Rows)
		if v.Cost == 0 {
			zero++
			if v.Arm != arms()[l.Arm[rounds-1]] || v.Rows != 1 {
				t.Errorf("the free row is %+v", v)
			}
		}
	}
	for _, m := range a.Mechanisms {
		releases[m.Arm] += m.Releases
		if got := float64(*m.Scale) * float64(*m.Epsilon); math.Abs(got-1) > 1e-12 || m.Sensitivity != 1 {
			t.Errorf("mechanism %+v: scale × ε = %v", m, got)
		}
	}
	for i, label := range arms() {
		read := pulls[i]
		if int32(i) == l.Arm[rounds-1] {
			read--
		}
		if rows[label] != pulls[i] || releases[label] != read {
			t.Errorf("%s: %d rows in levels, %d releases, %d pulls", label, rows[label], releases[label], pulls[i])
		}
	}
	if zero != 1 || math.Abs(squares/float64(*a.SumSquaredCosts)-1) > 1e-9 {
		t.Errorf("%d free rows; Σc² %v by levels, %v stated", zero, squares, float64(*a.SumSquaredCosts))
	}
}

func TestResultIsReproducibleAndWritable(t *testing.T) {
	p := seeded(protocol("ucb", "hybrid"), 7)
	s := play(t, p).write(t)
	var first []byte
	for range 2 {
		out, _ := run(t, p, s, nil)
		got, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if !bytes.Equal(first, got) {
			t.Error("two runs differ")
		}
	}
}

func TestRunErrors(t *testing.T) {
	good := protocol("ucb", "exact")
	s := play(t, good).write(t)
	t.Run("protocol", func(t *testing.T) {
		var fault *replay.Fault
		if _, err := Declare(replay.Standard(), protocol("ucb", "honaker"), arms()); !errors.As(err, &fault) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("book", func(t *testing.T) {
		book := &ledger.Disclosures{}
		book.Close()
		if _, err := declare(t, good).Run(context.Background(), s, book, nil); !errors.Is(err, ledger.ErrRefused) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		seen := 0
		_, err := declare(t, good).Run(ctx, s, &ledger.Disclosures{}, func(transcript.Row) error { seen++; cancel(); return nil })
		if !errors.Is(err, context.Canceled) || seen > checkEvery {
			t.Errorf("error %v after %d rounds", err, seen)
		}
	})
	t.Run("sink", func(t *testing.T) {
		full := errors.New("disk full")
		if _, err := declare(t, good).Run(context.Background(), s, &ledger.Disclosures{}, func(transcript.Row) error { return full }); !errors.Is(err, full) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("fewer arms declared", func(t *testing.T) {
		for _, p := range []*schemas.Protocol{good, protocol("ucb", "hybrid")} {
			d, err := Declare(replay.Standard(), p, arms()[:1])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Run(context.Background(), s, &ledger.Disclosures{}, nil); err == nil || !strings.Contains(err.Error(), "declare") {
				t.Errorf("error %v", err)
			}
		}
	})
}

func BenchmarkSeed(b *testing.B) {
	p := seeded(protocol("ucb", "hybrid"), 7)
	s := play(b, p).write(b)
	for b.Loop() {
		run(b, p, s, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rounds, "ns/round")
}
