package conformance

import (
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// setting is weekly with contexts, late rewards, and arms that cannot always be
// played, as it is asked for.
type setting struct {
	weekly
	dim, delay int64
	absent     bool
}

func (w setting) Dim() int { return int(w.dim) }

func (setting) Context(t int64, dst []float64) {
	for i := range dst {
		dst[i] = float64((t*int64(3+2*i))%11) / 11 / float64(len(dst))
	}
}

func (w setting) Enter(t int64, in *replay.Round) {
	w.weekly.Enter(t, in)
	if w.absent {
		in.Eligible = []bool{true, true, true, true}
		in.Eligible[t%3] = t%2 == 0
	}
}

func (w setting) Known(t int64) int64 { return t + w.delay }

// logIn is a log of 2,000 rounds in a setting, with the propensities of all arms.
// logs says what is logged of a round instead of the policy's propensities.
func logIn(tb testing.TB, w setting, p *schemas.Protocol, logs func(s *replay.Step) []float64) *tableau.Slice {
	tb.Helper()
	const rounds = 2000
	m, err := replay.Standard().New(p, four())
	if err != nil {
		tb.Fatal(err)
	}
	s := tableau.Schema{
		Propensity: true, PropensityByArm: true, Arms: 4, ContextDim: int(w.dim), Reward: [2]float64{0, 1}, Batch: true,
		RewardRound: true, Eligible: w.absent, Experiments: []tableau.Range{{ID: "shop", Rows: rounds}},
	}
	b := &tableau.Batch{X: make([][]float64, w.dim)}
	err = m.Bandit(replay.Seed(7), "shop", w, rounds, func(s *replay.Step) error {
		all := s.Propensities
		if logs != nil {
			all = logs(s)
		}
		known := s.Known
		if known > rounds {
			known = tableau.NeverKnown
		}
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, s.Round), append(b.Arm, int32(s.Arm))
		b.Reward, b.Propensity = append(b.Reward, s.Reward), append(b.Propensity, max(all[s.Arm], tableau.MinPropensity))
		b.Batch, b.RewardRound = append(b.Batch, s.Public.Batch), append(b.RewardRound, known)
		b.PropensityByArm = append(b.PropensityByArm, all...)
		if w.absent {
			b.Eligible = append(b.Eligible, s.Public.Eligible...)
		}
		for j := range b.X {
			b.X[j] = append(b.X[j], s.Public.X[j])
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return slice(tb, s, b)
}

// Delays, contexts and eligible arms are honoured by every run that a
// hypothesis needs.
func TestHypothesesHonourTheSetting(t *testing.T) {
	lints := func(u *schemas.Update) *schemas.Protocol {
		p := protocol("lints", "exact")
		p.Policy.Set("lambda", 1.0)
		p.Policy.Set("noise_sd", 0.5)
		p.Policy.Update = u
		return p
	}
	with := func(p *schemas.Protocol, w setting) *schemas.Protocol {
		if w.absent {
			p.Log.Eligible = "eligible"
		}
		return p
	}
	every := func(n int64) *schemas.Update { return &schemas.Update{Every: n} }
	settings := []setting{{dim: 2, delay: 13}, {absent: true, delay: 13}, {dim: 2, absent: true}, {dim: 2}, {delay: 0}, {delay: 13}}
	if testing.Short() {
		settings = settings[:2]
	}
	for i, w := range settings {
		truth, declared := thompson(10), thompson(40)
		if w.dim > 0 {
			truth, declared = lints(every(10)), lints(every(40))
		}
		truth, declared = with(truth, w), with(declared, w)
		clean := explained(t, truth, logIn(t, w, truth, nil))
		if clean.FirstMismatch != nil || len(clean.Hypotheses) > 0 {
			t.Errorf("the clean log in %+v: %+v", w, clean.FirstMismatch)
		}
		for j, tt := range []struct {
			name, want, words string
			written, declared *schemas.Protocol
			logs              func(s *replay.Step) []float64
		}{
			{"cadence", "cadence", "after every 10 rounds", truth, declared, nil},
			{"floor", "floor", "f = 0.03", changed(copyOf(declared), func(p *schemas.Policy) { p.Floor = schemas.Mix(0.03) }), declared, nil},
			{"swapped", "swapped", "a and d are exchanged", declared, declared, func(s *replay.Step) []float64 {
				p := s.Propensities
				return []float64{p[3], p[1], p[2], p[0]}
			}},
			{"the update before", "stale", "before the last update", declared, declared, before(t, declared)},
		} {
			if (i+j)%2 != 0 { // each with delays, with contexts and with absent arms, or with two of these
				continue
			}
			got := explained(t, tt.declared, logIn(t, w, tt.written, tt.logs))
			if len(got.Hypotheses) == 0 {
				t.Errorf("%s in %+v: nothing is said", tt.name, w)
				continue
			}
			if h := got.Hypotheses[0]; h.Name != tt.want || !h.Fits || !strings.Contains(h.Words, tt.words) {
				t.Errorf("%s in %+v: %+v", tt.name, w, h)
			}
		}
	}
}

func copyOf(p *schemas.Protocol) *schemas.Protocol {
	q, policy := *p, *p.Policy
	q.Policy = &policy
	return &q
}

// before returns what logs the propensities of the update before.
func before(tb testing.TB, p *schemas.Protocol) func(s *replay.Step) []float64 {
	tb.Helper()
	m := mechanismOf(tb, p, four())
	// A policy that learns after every 40 rounds, whose rewards come 40 rounds
	// later than they do, knows at each update what it knew at the one before.
	run := m.NewRunner(replay.Seed(1), "shop")
	var out replay.Arrivals
	return func(s *replay.Step) []float64 {
		run.Next(s.Public)
		p := append([]float64(nil), run.Propensities()...)
		run.Hold(s.Arm)
		out.Push(replay.Arrival{Known: s.Known + 40, Round: s.Round, Arm: s.Arm, Reward: s.Reward})
		for a, ok := out.Pop(s.Round); ok; a, ok = out.Pop(s.Round) {
			run.Due(a.Round)
			run.Add(a.Arm, a.Reward)
		}
		return p
	}
}
