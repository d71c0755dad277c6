package replay

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditaudit/schemas"
)

// declarable is one policy of every kind at least, with what it needs; a new
// policy is one more line.
func declarable() []schemas.Policy {
	delta, explore := schemas.Values{"delta": 0.05}, 0.2
	beta, normal := betaPriorOf(1, 1), normalPriorOf(0.5, 1, 0.25)
	return []schemas.Policy{
		{Name: "uniform"},
		{Name: "fixed", Own: schemas.Values{"probabilities": []float64{0.5, 0, 0.5}}},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore}},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 30.0}}, Ties: "seeded"},
		{Name: "ucb", Own: schemas.Values{"width": delta}},
		{Name: "ucb", Own: schemas.Values{"width": delta}, Ties: "seeded"},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}, "bonus": "quantile"}},
		{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "paper"}},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"alpha": 0.5, "clock": "plays", "offset": 2.0}}},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5, "clock": "learned"}}, Ties: "seeded"},
		{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"c": 0.1, "horizon": 300.0}}},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}, "start": "random"}, Ties: "random", Order: []string{"arm 2", "arm 0", "arm 1"}},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}, "start": schemas.Values{"rows": 1.0, "sum": 1.0}}, Ties: "last"},
		{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}, "start": "any"}, Ties: "any"},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore, "start": "none", "unseen": schemas.Values{"mean": 0.5}}, Ties: "shared"},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore, "start": schemas.Values{"until": "each-played"}}, Ties: "name"},
		{Name: "thompson", Own: schemas.Values{"prior": beta, "start": schemas.Values{"first": 40.0}}},
		{Name: "thompson", Own: schemas.Values{"prior": beta, "start": schemas.Values{"given": 40.0}}},
		{Name: "thompson", Own: schemas.Values{"prior": beta}},
		{Name: "thompson", Own: schemas.Values{"prior": normal}},
		{Name: "thompson", Own: schemas.Values{"prior": beta, "top": 2.0}},
		{Name: "thompson", Own: schemas.Values{"prior": normal, "top": 2.0, "min_rows": 9.0}},
		{Name: "thompson", Own: schemas.Values{"prior": sampledPrior(0.5, 1), "min_rows": 2.0}},
		{Name: "thompson", Own: schemas.Values{"prior": beta, "cap": 30.0}},
		{Name: "softmax", Own: schemas.Values{"eta": 0.1}},
		{Name: "softmax", Own: schemas.Values{"temperature": 0.3, "shrink": 1.0, "start": "random"}},
		{Name: "softmax", Own: schemas.Values{"eta": 2.0, "of": "means", "start": "none", "unseen": schemas.Values{"mean": 0.5}}},
		{Name: "inverse-gap", Own: schemas.Values{"gamma": 30.0, "minimise": true}},
		{Name: "exp3", Own: schemas.Values{"gamma": 0.3}},
		{Name: "exp3", Own: schemas.Values{"gamma": 0.1, "start": "random"}},
		{Name: "epsilon-greedy", Own: schemas.Values{"epsilon": schemas.Values{"exponential": 0.01, "from": 0.9, "clock": "plays"}}},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"harmonic": 0.1, "from": 1.0, "to": 0.02}}},
		{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"linear": []float64{1, 0.05, 100}}}},
		{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"c": 0.1}}},
		{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"c": 0.1}, "bonus": "quantile"}, Ties: "seeded"},
		{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "theta_bound": 1.0, "noise_sd": 0.5, "context_l1": schemas.MustRational("2")}, Ties: "seeded"},
		{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "width": schemas.Values{"alpha": 1.0}, "unfit": "identity", "context_l1": schemas.MustRational("2")}},
		{Name: "lints", Own: schemas.Values{"lambda": 1.0, "noise_sd": 0.5, "context_l1": schemas.MustRational("2")}},
	}
}

// byExactSums reports whether a policy looks at single rewards, of which only the exact
// counter shows all.
func byExactSums(p *schemas.Policy) bool {
	return Standard().Policy(p.Name).NeedsExact(p.Own) != ""
}

// Every policy of the catalogue is among those that are replayed.
func TestEveryPolicyIsDeclarable(t *testing.T) {
	for _, d := range Standard().Policies {
		if !slices.ContainsFunc(declarable(), func(p schemas.Policy) bool { return p.Name == d.Name }) {
			t.Errorf("declarable has no %s", d.Name)
		}
	}
}

// counters is one counter of every kind.
func counters() []schemas.Counter {
	var list []schemas.Counter
	for _, d := range Standard().Counters {
		c := schemas.Counter{Name: d.Name}
		if d.Noise {
			c.Epsilon, c.Horizon = schemas.MustRational("2"), 600
		}
		list = append(list, c)
	}
	return list
}

// circumstances are what a run can have around it.
func circumstances() []circumstance {
	return []circumstance{
		{"at once", nil, nil, false, false},
		{"a floor", schemas.Mix(0.2), nil, false, false},
		{"batches", nil, &schemas.Update{Batch: true}, false, false},
		{"every 7 rounds", schemas.Mix(0.1), &schemas.Update{Every: 7}, false, true},
		{"late", nil, nil, true, false},
		{"late, in batches, with a floor, not all eligible", schemas.Mix(0.02), &schemas.Update{Batch: true}, true, true},
		{"clipped, not all eligible", &schemas.Floor{Kind: "clip", Value: 0.2}, &schemas.Update{Every: 7}, false, true},
		{"water, not all eligible", &schemas.Floor{Kind: "water", Value: 0.15}, nil, false, true},
		{"the best has the rest, late", &schemas.Floor{Kind: "rest", Value: 0.3}, &schemas.Update{Batch: true}, true, true},
	}
}

type circumstance struct {
	name           string
	floor          *schemas.Floor
	update         *schemas.Update
	late, eligible bool
}

// plot is a story of many rounds with a context, a pure function of the round,
// the arm, and the circumstances.
func (c circumstance) plot(rounds int) contextual {
	s := &story{}
	words := Stream(Seed(5), "test.plot", c.name, 0)
	draw := func(n uint64) int64 { return int64(words.Uint64() % n) }
	pay := []int64{2, 5, 7}
	for t := int64(1); t <= int64(rounds); t++ {
		y := make([]float64, len(pay))
		for i, p := range pay {
			if draw(10) < p {
				y[i] = float64(1+draw(4)) / 4
			}
		}
		eligible := []bool{true, true, true}
		eligible[draw(3)] = false
		if !c.eligible || draw(2) == 0 {
			eligible = nil
		}
		known := t
		if c.late {
			if known += draw(40); draw(20) == 0 {
				known = NeverKnown
			}
		}
		s.rewards, s.eligible = append(s.rewards, y), append(s.eligible, eligible)
		s.batches, s.known = append(s.batches, int32(t/23)), append(s.known, known)
	}
	return contextual{s}
}

// everywhere does the same with every policy on every counter in all circumstances, of
// which each pair has a third over many rounds, and the others over 90.
func everywhere(t *testing.T, many int, do func(m *Mechanism, c contextual) error) {
	t.Helper()
	for i, p := range declarable() {
		for k, c := range counters() {
			if c.Name != "exact" && byExactSums(&p) {
				continue
			}
			for j, around := range circumstances() {
				rounds, mine, sums := 90, p, c
				if (i+k+j)%3 == 0 && !testing.Short() {
					rounds = many
				}
				mine.Floor, mine.Update = around.floor, around.update
				if c.Name == "exact" {
					mine.Set("bonus", "") // there is no noise to allow for
				}
				m, err := Standard().New(declare(mine, &sums), labels(3))
				if err == nil {
					err = do(m, around.plot(rounds))
				}
				if err != nil {
					t.Errorf("%d %s × %s, %s: %v", i, p.Name, c.Name, around.name, err)
				}
			}
		}
	}
}

// A free run with its own seed, forced along its own log, answers every round
// with what was played, with propensities and released sums of the same bits:
// every policy on every counter, with batches, rewards that come late or never,
// arms that are not eligible, and a floor. And what was played agrees with the
// propensities, see agrees.
func TestEveryFreeRunReplays(t *testing.T) { everywhere(t, 300, replays) }

// line is what a free run leaves of one round.
type line struct {
	arm                    int
	propensities, released []float64
}

// replays runs m freely and forces it along what it did.
func replays(m *Mechanism, c contextual) error {
	var log []line
	free := m.NewRunner(Seed(9), "e")
	err := free.bandit(c, c.rounds(), func(s *Step) error {
		log = append(log, line{s.Arm, slices.Clone(s.Propensities), released(free)})
		return nil
	})
	if err != nil {
		return err
	}
	if err := agrees(m, log); err != nil {
		return err
	}
	forced := m.NewRunner(Seed(9), "e")
	played := func(t int64, _ int) int { return log[t-1].arm }
	return forced.InteractQuery(&late{story: c.story, enter: c.Enter, run: forced}, played, func(t int64, answer int) error {
		want := log[t-1]
		if answer != want.arm {
			return fmt.Errorf("round %d: answer %d, played %d", t, answer, want.arm)
		}
		if m.Random() && !slices.Equal(forced.Propensities(), want.propensities) {
			return fmt.Errorf("round %d: propensities %v, were %v", t, forced.Propensities(), want.propensities)
		}
		if t > 1 && !slices.Equal(released(forced), log[t-2].released) {
			return fmt.Errorf("round %d: released %v, was %v", t, released(forced), log[t-2].released)
		}
		return nil
	})
}

// agrees compares how often an arm was played with its propensities p_t:
// Σ(1{a_t = a} − p_t) has mean 0 and variance Σp_t(1 − p_t), and more than 6.5
// standard deviations have probability 10⁻¹⁰ where it is normal; it is looked at
// where the variance is 5 at least. The seeds are fixed.
func agrees(m *Mechanism, log []line) error {
	if !m.Random() {
		return nil
	}
	for arm := range m.arms {
		var sum, variance float64
		for _, l := range log {
			p := l.propensities[arm]
			if l.arm == arm {
				sum++
			}
			sum -= p
			variance += p * (1 - p)
		}
		if variance >= 5 && math.Abs(sum) > 6.5*math.Sqrt(variance) {
			return fmt.Errorf("arm %d was played %v times more than its propensities say, with a variance of %v", arm, sum, variance)
		}
	}
	return nil
}

func released(r *Runner) []float64 {
	sums := make([]float64, r.m.arms)
	for i := range sums {
		sums[i] = r.Released(i)
	}
	return sums
}
