package conformance

import (
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// trueLog is a log of 4,000 rounds and four arms that policy wrote, with the
// propensities of the action and, where byArm says so, of all arms. alter
// changes the propensities of a round before they are logged.
func trueLog(tb testing.TB, p *schemas.Protocol, byArm bool, alter func(t int64, arm int, all []float64)) *tableau.Slice {
	tb.Helper()
	const rounds = 4000
	m, err := replay.Standard().New(p, four())
	if err != nil {
		tb.Fatal(err)
	}
	s := tableau.Schema{
		Propensity: true, PropensityByArm: byArm, Arms: 4, Reward: [2]float64{0, 1}, Batch: true,
		Experiments: []tableau.Range{{ID: "shop", Rows: rounds}},
	}
	b := &tableau.Batch{}
	err = m.Bandit(replay.Seed(7), "shop", weekly{}, rounds, func(s *replay.Step) error {
		all := append([]float64(nil), s.Propensities...)
		if alter != nil {
			alter(s.Round, s.Arm, all)
		}
		all[s.Arm] = max(all[s.Arm], tableau.MinPropensity)
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, s.Round), append(b.Arm, int32(s.Arm))
		b.Reward, b.Propensity = append(b.Reward, s.Reward), append(b.Propensity, all[s.Arm])
		b.Batch = append(b.Batch, s.Public.Batch)
		if byArm {
			b.PropensityByArm = append(b.PropensityByArm, all...)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return slice(tb, s, b)
}

func four() []string { return []string{"a", "b", "c", "d"} }

// weekly has batches of 70 rounds, and arms with rewards that differ.
type weekly struct{}

func (weekly) Dim() int { return 0 }

func (weekly) Context(int64, []float64) {}

func (weekly) Enter(t int64, in *replay.Round) { in.Batch = int32((t - 1) / 70) }

func (weekly) Known(t int64) int64 { return t }

func (weekly) Reward(t int64, arm int) float64 {
	if (t*2654435761>>7)%100 < int64(30+3*arm) {
		return 1
	}
	return 0
}

// explained is what is said of a log that truth wrote, held against declared.
func explained(tb testing.TB, declared *schemas.Protocol, s *tableau.Slice) *schemas.PropensityReplay {
	tb.Helper()
	d, err := Declare(replay.Standard(), declared, four())
	if err != nil {
		tb.Fatal(err)
	}
	out, err := d.Run(tb.Context(), s, &ledger.Disclosures{}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if out.Conformance.Propensities == nil {
		tb.Fatalf("nothing was compared: %+v", out.Conformance)
	}
	return out.Conformance.Propensities
}

// thompson learns after every so many rounds; 0: by batches.
func thompson(every int64) *schemas.Protocol {
	p := protocol("thompson", "exact")
	p.Policy.Set("prior", schemas.Values{"alpha": 1.0, "beta": 1.0})
	p.Policy.Update = &schemas.Update{Every: every, Batch: every == 0}
	return p
}

func softmax(eta float64) *schemas.Protocol {
	p := protocol("softmax", "exact")
	p.Policy.Set("eta", eta)
	return p
}

func exp3(every int64) *schemas.Protocol {
	p := protocol("exp3", "exact")
	p.Policy.Set("gamma", 0.2)
	p.Policy.Update = &schemas.Update{Every: every}
	return p
}

func greedy(e any) *schemas.Protocol {
	p := protocol("epsilon-greedy", "exact")
	p.Policy.Set("explore", e)
	return p
}

func changed(p *schemas.Protocol, change func(*schemas.Policy)) *schemas.Protocol {
	change(p.Policy)
	return p
}

// Every hypothesis is named where it is the truth, with what was fitted, and
// none other fits better.
func TestHypothesesAreNamed(t *testing.T) {
	floorOf := func(f float64) func(p *schemas.Policy) { return func(p *schemas.Policy) { p.Floor = schemas.Mix(f) } }
	kindOf := func(kind string, f float64) func(p *schemas.Policy) {
		return func(p *schemas.Policy) { p.Floor = &schemas.Floor{Kind: kind, Value: f} }
	}
	var last, previous []float64
	stale := func(t int64, _ int, all []float64) {
		now := append([]float64(nil), all...)
		if t%50 == 1 {
			previous, last = last, now
			if previous == nil {
				previous = now
			}
		}
		copy(all, previous)
	}
	for i, tt := range []struct {
		name            string
		truth, declared *schemas.Protocol
		alter           func(t int64, arm int, all []float64)
		want, words     string
		value           float64 // NaN: none
	}{
		{"a floor", changed(thompson(50), floorOf(0.02)), thompson(50), nil, "floor", "declared is 0", 0.02},
		{"another floor", changed(thompson(50), floorOf(0.02)), changed(thompson(50), floorOf(0.1)), nil, "floor", "declared is 0.1", 0.02},
		{"no floor", thompson(50), changed(thompson(50), floorOf(0.1)), nil, "floor", "f = 0 is", 0},
		{"a clipped floor", thompson(50), thompson(50), func(_ int64, _ int, all []float64) {
			sum := 0.0
			for i := range all {
				all[i] = max(all[i], 0.03)
				sum += all[i]
			}
			for i := range all {
				all[i] /= sum
			}
		}, "clipped-floor", "no floor is declared", 0.03},
		{"a declared floor that is clipped", changed(thompson(50), kindOf("clip", 0.03)), changed(thompson(50), kindOf("water", 0.03)), nil, "clipped-floor", "declared is 0.03 by water", 0.03},
		{"another clipped floor", changed(thompson(50), kindOf("clip", 0.03)), changed(thompson(50), kindOf("clip", 0.05)), nil, "clipped-floor", "declared is 0.05 by clip", 0.03},
		{"a floor that is mixed in and not clipped", changed(thompson(50), floorOf(0.02)), changed(thompson(50), kindOf("clip", 0.02)), nil, "floor", "declared is 0.02 by clip", 0.02},
		{"another prior over a clipped floor", changed(changed(thompson(50), kindOf("clip", 0.02)), func(p *schemas.Policy) { p.Set("prior", schemas.Values{"alpha": 2.0, "beta": 2.0}) }), changed(thompson(50), kindOf("clip", 0.02)), nil, "prior", "{alpha: 2, beta: 2}", math.NaN()},
		{"2 % uniform rounds", thompson(50), thompson(50), func(t int64, _ int, all []float64) {
			if t%50 == 31 {
				copy(all, []float64{0.25, 0.25, 0.25, 0.25})
			}
		}, "uniform-rows", "79 of 4,000 rounds", 79.0 / 4000},
		{"two arms exchanged", thompson(50), thompson(50), func(_ int64, _ int, all []float64) { all[1], all[3] = all[3], all[1] }, "swapped", "b and d are exchanged", math.NaN()},
		{"arms turned", thompson(50), thompson(50), func(_ int64, _ int, all []float64) { all[0], all[1], all[2], all[3] = all[1], all[2], all[3], all[0] }, "swapped", "a carries that of b, b carries that of c", math.NaN()},
		{"propensities of the update before", thompson(50), thompson(50), stale, "stale", "before the last update", math.NaN()},
		{"propensities of the update before, of exp3", exp3(50), exp3(50), stale, "stale", "before the last update", math.NaN()},
		{"another batch size, of exp3", exp3(20), exp3(50), nil, "cadence", "after every 20 rounds, and declared is update: {every: 50}", math.NaN()},
		{"another batch size", thompson(20), thompson(50), nil, "cadence", "after every 20 rounds, and declared is update: {every: 50}", math.NaN()},
		{"another batch size, of no usual number", thompson(24), thompson(50), nil, "cadence", "after every 24 rounds, and declared is update: {every: 50}", math.NaN()},
		{"after every round", thompson(1), thompson(50), nil, "cadence", "after every round", math.NaN()},
		{"by batches", thompson(0), thompson(50), nil, "cadence", "when the batch changes", math.NaN()},
		{"an update too many", changed(thompson(25), func(*schemas.Policy) {}), thompson(50), nil, "cadence", "once more in the middle", math.NaN()},
		{"another usual prior", changed(thompson(50), func(p *schemas.Policy) { p.Set("prior", schemas.Values{"alpha": 2.0, "beta": 2.0}) }), thompson(50), nil, "prior", "{alpha: 2, beta: 2}", math.NaN()},
		{"an unusual prior", changed(thompson(50), func(p *schemas.Policy) { p.Set("prior", schemas.Values{"alpha": 3.7, "beta": 5.25}) }), thompson(50), nil, "prior", "{alpha: 3.7, beta: 5.25}", math.NaN()},
		{"another normal prior", changed(thompson(50), func(p *schemas.Policy) {
			p.Set("prior", schemas.Values{"mean": 0.35, "variance": 0.3, "noise": 0.21})
		}), changed(thompson(50), func(p *schemas.Policy) {
			p.Set("prior", schemas.Values{"mean": 0.5, "variance": 1.0, "noise": 0.25})
		}), nil, "prior", "{mean: 0.35, variance: 0.3, noise: 0.21}", math.NaN()},
		{"a known variance", changed(thompson(50), func(p *schemas.Policy) {
			p.Set("prior", schemas.Values{"mean": 0.5, "variance": 1.0, "noise": 0.25})
		}), changed(thompson(50), func(p *schemas.Policy) {
			p.Set("prior", schemas.Values{"mean": 0.5, "variance": 1.0, "noise": "sample"})
		}), nil, "prior", "noise: 0.25}, and declared is {mean: 0.5, variance: 1, noise: sample}", math.NaN()},
		{"another η", softmax(0.02), softmax(0.05), nil, "parameter", "η is 0.02 and not 0.05", 0.02},
		{"a larger η", softmax(0.05), softmax(0.02), nil, "parameter", "η is 0.05 and not 0.02", 0.05},
		{"another η below a floor", changed(softmax(0.02), floorOf(0.01)), changed(softmax(0.05), floorOf(0.01)), nil, "parameter", "η is 0.02 and not 0.05", 0.02},
		{"another ε", greedy(0.2), greedy(0.1), nil, "parameter", "ε = 0.2, and declared is 0.1", 0.2},
		{"a decaying ε", greedy(schemas.Values{"decay": 30.0}), greedy(0.1), nil, "parameter", "ε = min(1, 30/t)", 30},
	} {
		for _, byArm := range []bool{false, true} {
			if testing.Short() && (i%2 == 1 || byArm != (i%4 == 0)) {
				continue
			}
			last, previous = nil, nil
			s := trueLog(t, tt.truth, byArm, tt.alter)
			got := explained(t, tt.declared, s)
			if len(got.Hypotheses) == 0 || got.FirstMismatch == nil {
				t.Errorf("%s, by arm %v: nothing is said: %+v", tt.name, byArm, got)
				continue
			}
			h := got.Hypotheses[0]
			if h.Name != tt.want || !h.Fits || !strings.Contains(h.Words, tt.words) {
				t.Errorf("%s, by arm %v: want %s", tt.name, byArm, tt.want)
				for _, h := range got.Hypotheses {
					t.Logf("  %+v", h)
				}
				continue
			}
			if (h.Value == nil) != math.IsNaN(tt.value) || h.Value != nil && math.Abs(*h.Value-tt.value) > 1e-4*tt.value {
				t.Errorf("%s, by arm %v: value %v", tt.name, byArm, h.Value)
			}
		}
	}
}

// With a seed every run that a hypothesis needs has the noise of the log. The
// rewards are read once more, which is booked, only where there is something to
// explain.
func TestHypothesesKnowTheNoiseOfASeed(t *testing.T) {
	noisy := func(every int64) *schemas.Protocol {
		p := thompson(every)
		p.Counter = &schemas.Counter{Name: "laplace", Epsilon: schemas.MustRational("1")}
		return seeded(p, 7)
	}
	log := trueLog(t, noisy(20), true, nil)
	for _, tt := range []struct {
		declared *schemas.Protocol
		explain  bool
	}{{noisy(20), false}, {noisy(50), true}} {
		d, err := Declare(replay.Standard(), tt.declared, four())
		if err != nil {
			t.Fatal(err)
		}
		book := &ledger.Disclosures{}
		out, err := d.Run(t.Context(), log, book, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := out.Conformance.Propensities
		if feeds := len(book.List()); (feeds == 6) != tt.explain || (len(p.Hypotheses) > 0) != tt.explain {
			t.Errorf("booked %+v for %d hypotheses", book.List(), len(p.Hypotheses))
			continue
		}
		if !tt.explain {
			continue
		}
		if h := p.Hypotheses[0]; h.Name != "cadence" || !h.Fits || !strings.Contains(h.Words, "after every 20 rounds") {
			t.Errorf("%+v", p.Hypotheses)
		}
		if !strings.HasSuffix(book.List()[1].Law, ", draws") || !strings.HasSuffix(book.List()[2].Law, ", hypotheses") {
			t.Errorf("booked %+v", book.List())
		}
	}
}

// What nothing explains is not explained: noise on every propensity, one row in
// ten that is altered, and one row alone.
func TestNothingFitsWhatNothingExplains(t *testing.T) {
	word := func(t int64, arm int) float64 {
		return float64((uint64(t)*2654435761+uint64(arm)*40503)>>5%1000)/1000 - 0.5
	}
	bend := func(t int64, all []float64) {
		for i := range all {
			all[i] = max(0, min(1, all[i]+0.02*word(t, i)))
		}
	}
	tampers := map[string]func(t int64, arm int, all []float64){
		"noise": func(t int64, _ int, all []float64) { bend(t, all) },
		"one row in ten": func(t int64, _ int, all []float64) {
			if t%10 == 4 {
				bend(t, all)
			}
		},
		"one row": func(t int64, _ int, all []float64) {
			if t == 1234 {
				for i := range all {
					all[i] *= 0.93
				}
			}
		},
	}
	declared := map[string]*schemas.Protocol{"thompson": thompson(50), "softmax": softmax(0.05), "epsilon-greedy": greedy(0.1)}
	for name, p := range declared {
		if testing.Short() && name != "thompson" {
			continue
		}
		for kind, tamper := range tampers {
			for _, byArm := range []bool{false, true} {
				if testing.Short() && !byArm {
					continue
				}
				got := explained(t, p, trueLog(t, p, byArm, tamper))
				if len(got.Hypotheses) == 0 || got.Hypotheses[0].Fits {
					t.Errorf("%s, %s, by arm %v: %+v", name, kind, byArm, got.Hypotheses)
				}
			}
		}
	}
}
