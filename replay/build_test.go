package replay

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func TestNewReportsAllFaultsAtOnce(t *testing.T) {
	hybrid := func(c schemas.Counter) *schemas.Counter {
		c.Name = "hybrid"
		if c.Epsilon.IsZero() {
			c.Epsilon = schemas.MustRational("0.25")
		}
		return &c
	}
	delta := schemas.Values{"delta": 0.05}
	for _, tt := range []struct {
		name    string
		policy  schemas.Policy
		counter *schemas.Counter
		mend    func(p *schemas.Protocol)
		want    []string // paths, in order
	}{
		{name: "uniform", policy: schemas.Policy{Name: "uniform"}},
		{name: "uniform beside a counter", policy: schemas.Policy{Name: "uniform"}, counter: hybrid(schemas.Counter{})},
		{name: "what holds anyway", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "none"}, Floor: schemas.Mix(0.2), Ties: "first", Update: &schemas.Update{Batch: true}}, counter: hybrid(schemas.Counter{})},
		{name: "unknown policy", policy: schemas.Policy{Name: "toss"}, want: []string{"policy.name"}},
		{name: "unknown counter", policy: schemas.Policy{Name: "uniform"}, counter: &schemas.Counter{Name: "honaker"}, want: []string{"counter.name"}},
		{name: "tree", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "quantile"}}, counter: &schemas.Counter{Name: "tree", Epsilon: schemas.MustRational("0.25"), Horizon: 100}},
		{name: "tree with nothing", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: &schemas.Counter{Name: "tree"}, want: []string{"counter.horizon", "counter.epsilon"}},
		{name: "ucb with nothing", policy: schemas.Policy{Name: "ucb"}, want: []string{"policy.width", "counter"}},
		{
			name:   "everything wrong", // a width of two forms is one fault; no bonus is judged beside a faulty counter
			policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"delta": 1.0, "c": -1.0}, "bonus": "paper"}}, counter: &schemas.Counter{Name: "exact", Epsilon: schemas.MustRational("1"), Horizon: 5, Grid: schemas.MustRational("1/3")},
			mend: func(p *schemas.Protocol) { p.Reward.Range = []float64{1, 0} },
			want: []string{"reward.range", "counter.epsilon", "counter.horizon", "counter.grid", "policy.width.c"},
		},
		{name: "zero widths", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"delta": 0.0, "c": 0.0}}}, counter: &schemas.Counter{Name: "exact"}, want: []string{"policy.width.c"}},
		{name: "quantile of no noise", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "quantile"}}, counter: &schemas.Counter{Name: "exact"}, want: []string{"policy.bonus"}},
		{name: "quantile without horizon", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "quantile"}}, counter: hybrid(schemas.Counter{}), want: []string{"counter.horizon"}},
		{name: "paper of no noise", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "paper"}}, counter: &schemas.Counter{Name: "exact"}, want: []string{"policy.bonus"}},
		{name: "paper", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "paper"}}, counter: hybrid(schemas.Counter{Horizon: 2})},
		{name: "paper without horizon", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "paper"}}, counter: hybrid(schemas.Counter{}), want: []string{"counter.horizon"}},
		{name: "paper at a horizon of 1", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "paper"}}, counter: hybrid(schemas.Counter{Horizon: 1}), want: []string{"counter.horizon"}},
		{name: "seeded ties, a floor, batches", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}, Ties: "seeded", Floor: schemas.Mix(1.0 / 3), Update: &schemas.Update{Batch: true}}, counter: hybrid(schemas.Counter{})},
		{name: "a floor and batches of a policy that reads nothing", policy: schemas.Policy{Name: "uniform", Floor: schemas.Mix(0.1), Update: &schemas.Update{Batch: true}}},
		{name: "a floor that three arms cannot have", policy: schemas.Policy{Name: "uniform", Floor: schemas.Mix(0.34)}, want: []string{"policy.floor"}},
		{name: "a floor below 0", policy: schemas.Policy{Name: "uniform", Floor: schemas.Mix(-0.1)}, want: []string{"policy.floor"}},
		{name: "a floor that is no number", policy: schemas.Policy{Name: "uniform", Floor: schemas.Mix(nan())}, want: []string{"policy.floor"}},
		{name: "unknown bonus", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta, "bonus": "large"}}, counter: hybrid(schemas.Counter{}), want: []string{"policy.bonus"}},
		{name: "infinite epsilon", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: hybrid(schemas.Counter{Epsilon: schemas.MustRational("inf")}), want: []string{"counter.epsilon"}},
		{name: "epsilon that overflows", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: hybrid(schemas.Counter{Epsilon: schemas.MustRational("0.12345678901")}), want: []string{"counter.epsilon"}},
		{name: "negative horizon", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: hybrid(schemas.Counter{Horizon: -1}), want: []string{"counter.horizon"}},
		{
			name:   "parameters of other policies",
			policy: schemas.Policy{Name: "uniform", Own: schemas.Values{"width": delta, "bonus": "quantile", "explore": 0.1, "prior": schemas.Values{}, "eta": 1.0, "probabilities": []float64{1}, "lambda": 1.0, "theta_bound": 1.0, "noise_sd": 1.0, "context_l1": schemas.MustRational("1")}, Ties: "seeded", Draws: 5},
			want: []string{
				"policy.width", "policy.bonus", "policy.ties", "policy.explore", "policy.prior", "policy.eta", "policy.probabilities",
				"policy.lambda", "policy.theta_bound", "policy.noise_sd", "policy.context_l1", "policy.draws",
			},
		},
		{
			name: "what would convict an honest log", policy: schemas.Policy{Name: "uniform", Seed: &schemas.Seed{Column: "seed"}},
			mend: func(p *schemas.Protocol) {
				p.Log = schemas.Log{RewardOrder: "ts", Eligible: "e", MissingReward: "exclude"}
			},
			want: []string{"policy.seed.column"},
		},
		{name: "half a seed", policy: schemas.Policy{Name: "uniform", Seed: &schemas.Seed{Bytes: make([]byte, 16)}}, want: []string{"policy.seed"}},
		{
			name: "what would convict an honest log of one that learns", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: hybrid(schemas.Counter{}),
			mend: func(p *schemas.Protocol) {
				p.Log = schemas.Log{RewardOrder: "ts", Eligible: "e", MissingReward: "exclude-independent", ReleasedByArm: "sums"}
			},
			want: []string{"log.missing_reward"},
		},
		{
			name: "released values in the place of a seed", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: hybrid(schemas.Counter{}),
			mend: func(p *schemas.Protocol) { p.Log = schemas.Log{ReleasedByArm: "sums", MissingReward: "error"} },
		},
		{
			name: "nothing is drawn", policy: schemas.Policy{Name: "ucb", Own: schemas.Values{"width": delta}}, counter: &schemas.Counter{Name: "exact"},
			mend: func(p *schemas.Protocol) { p.Log = schemas.Log{ReleasedByArm: "sums"} },
		},
	} {
		p := declare(tt.policy, tt.counter)
		if tt.mend != nil {
			tt.mend(p)
		}
		m, err := Standard().New(p, labels(3))
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), paths(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if (m == nil) != (err != nil) {
			t.Errorf("%s: mechanism %v with error %v", tt.name, m, err)
		}
	}
}

// paths returns the paths of the faults, sorted; each must be a complete Fault.
func paths(t *testing.T, err error) []string {
	t.Helper()
	var got []string
	for _, e := range leaves(err) {
		var f *Fault
		if !errors.As(e, &f) {
			t.Fatalf("%v is no Fault", e)
		}
		if f.What == "" || f.Rule == "" || f.Mend == "" || !strings.HasPrefix(f.Error(), f.Path+" "+f.What) {
			t.Errorf("an incomplete fault: %q", f.Error())
		}
		got = append(got, f.Path)
	}
	slices.Sort(got)
	return got
}

func TestNewSpecialCases(t *testing.T) {
	p := uniform()
	if _, err := Standard().New(p, nil); len(paths(t, err)) != 1 {
		t.Errorf("no arms: %v", err)
	}
	p.Policy = nil
	if _, err := Standard().New(p, labels(2)); len(paths(t, err)) != 1 {
		t.Errorf("no policy: %v", err)
	}
	for _, r := range [][]float64{nil, {0}, {0, 0}, {1, 0}, {0, nan()}, {-1e308, 1e308}} {
		p := uniform()
		p.Reward.Range = r
		if _, err := Standard().New(p, labels(2)); len(paths(t, err)) != 1 {
			t.Errorf("range %v: %v", r, err)
		}
	}
}

func nan() float64 { z := 0.0; return z / z }

func TestMechanismSaysWhatItDraws(t *testing.T) {
	for _, tt := range []struct {
		name                                 string
		p                                    *schemas.Protocol
		random, reads, deterministic, p0open bool
	}{
		{"uniform", uniform(), true, false, false, true},
		{"ucb × exact", ucb1(), false, true, true, false},
		{"ucb × exact, ties seeded", with(ucb1(), func(p *schemas.Policy) { p.Ties = "seeded" }), true, true, false, true},
		{"ucb × exact, a floor", with(ucb1(), func(p *schemas.Policy) { p.Floor = schemas.Mix(0.1) }), true, true, false, true},
		{"ucb × hybrid", privUCB("0.25", "none", 0), false, true, false, false},
		{"ucb × hybrid, a floor", with(privUCB("0.25", "none", 0), func(p *schemas.Policy) { p.Floor = schemas.Mix(0.1) }), true, true, false, false},
		{"fixed", declare(schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{1, 0, 0}}}, nil), true, false, false, true},
		{"fixed beside a counter with noise", declare(schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{1, 0, 0}}}, privUCB("1", "none", 0).Counter), true, false, false, true},
		{"softmax × exact", declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.0}}, ucb1().Counter), true, true, false, true},
		{"softmax × hybrid", declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.0}}, privUCB("1", "none", 0).Counter), true, true, false, false},
		{"softmax × epochs", declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.0}}, &schemas.Counter{Name: "epochs", Epsilon: schemas.MustRational("1")}), true, true, false, false},
		{"elimination × exact", declare(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": ucb1().Policy.Own.Group("width")}}, ucb1().Counter), false, true, true, false},
		{"elimination × epochs", declare(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": ucb1().Policy.Own.Group("width")}}, &schemas.Counter{Name: "epochs", Epsilon: schemas.MustRational("1")}), false, true, false, false},
		{"ucb × hybrid, ties seeded", with(privUCB("0.25", "none", 0), func(p *schemas.Policy) { p.Ties = "seeded" }), true, true, false, false},
	} {
		m := build(t, tt.p, 3)
		if m.Random() != tt.random || m.ReadsRewards() != tt.reads || m.Deterministic() != tt.deterministic || m.PropensitiesKnown() != tt.p0open || m.Arms() != 3 {
			t.Errorf("%s: random %v, reads rewards %v, deterministic %v, propensities known %v", tt.name, m.Random(), m.ReadsRewards(), m.Deterministic(), m.PropensitiesKnown())
		}
	}
}

// with changes the policy of a protocol.
func with(p *schemas.Protocol, change func(*schemas.Policy)) *schemas.Protocol {
	change(p.Policy)
	return p
}

// Every policy with what it needs and what it may have, and with each of its
// parameters wrong.
func TestNewPolicies(t *testing.T) {
	delta, inf := schemas.Values{"delta": 0.05}, new(math.Inf(1))
	third := []float64{0.1, 0.7, 0.2}
	batch := &schemas.Update{Batch: true}
	for _, tt := range []struct {
		name    string
		policy  schemas.Policy
		counter string // exact, unless it is given
		want    []string
	}{
		{name: "fixed", policy: schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": third}}, counter: "none"},
		{name: "fixed beside a counter", policy: schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": third}, Floor: schemas.Mix(0.01), Update: batch}},
		{name: "fixed with nothing", policy: schemas.Policy{Name: "fixed"}, counter: "none", want: []string{"policy.probabilities"}},
		{name: "two probabilities", policy: schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{0.5, 0.5}}, Ties: "seeded"}, want: []string{"policy.ties", "policy.probabilities"}},
		{name: "no probabilities", policy: schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{-0.5, nan(), 2}}}, want: []string{"policy.probabilities[0]", "policy.probabilities[1]", "policy.probabilities[2]"}},
		{name: "not enough", policy: schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{0.3, 0.3, 0.3}}}, want: []string{"policy.probabilities"}},

		{name: "greedy", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.1}, Ties: "seeded", Floor: schemas.Mix(0.1), Update: batch}},
		{name: "never exploring", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.0}}, counter: "hybrid"},
		{name: "decaying", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 5.0}}}},
		{name: "greedy with nothing", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{}}}, counter: "none", want: []string{"counter", "policy.explore"}},
		{name: "above 1", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 1.1, "eta": 1.0}}, want: []string{"policy.eta", "policy.explore"}},
		{name: "decay of nothing", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 0.0}}}, want: []string{"policy.explore.decay"}},
		{name: "no decay", policy: schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": inf}}}, want: []string{"policy.explore.decay"}},

		{name: "softmax", policy: schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}, Floor: schemas.Mix(0.1), Update: batch}, counter: "hybrid"},
		{name: "softmax with nothing", policy: schemas.Policy{Name: "softmax", Ties: "seeded"}, counter: "none", want: []string{"policy.ties", "counter", "policy.eta"}},
		{name: "softmax at 0", policy: schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.0}}, want: []string{"policy.eta"}},
		{name: "softmax at infinity", policy: schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": inf}}, want: []string{"policy.eta"}},

		{name: "thompson", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"alpha": 1.0, "beta": 0.5}}, Floor: schemas.Mix(0.1), Update: batch}, counter: "hybrid"},
		{name: "thompson, normal", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"mean": 0.0, "variance": 1.0, "noise": 0.25}}}},
		{name: "thompson with nothing", policy: schemas.Policy{Name: "thompson", Ties: "seeded"}, counter: "none", want: []string{"policy.ties", "counter", "policy.prior"}},
		{name: "thompson of both priors", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"alpha": 1.0, "noise": 1.0}}}, want: []string{"policy.prior"}},
		{name: "half a Beta", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"alpha": 1.0}}}, want: []string{"policy.prior.beta"}},
		{name: "a third of a normal", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"noise": 0.25}}}, want: []string{"policy.prior.mean", "policy.prior.variance"}},
		{name: "no Beta", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"alpha": 0.0, "beta": inf}}}, want: []string{"policy.prior.alpha", "policy.prior.beta"}},
		{name: "no normal", policy: schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"mean": nan(), "variance": inf, "noise": 0.0}}}, want: []string{"policy.prior.mean", "policy.prior.variance", "policy.prior.noise"}},

		{name: "elimination", policy: schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": delta}, Ties: "seeded", Floor: schemas.Mix(0.1), Update: batch}},
		{name: "elimination with a bonus", policy: schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": delta, "bonus": "quantile"}}, counter: "hybrid"},
		{name: "elimination with nothing", policy: schemas.Policy{Name: "successive-elimination"}, counter: "none", want: []string{"policy.width", "counter"}},
		{name: "elimination with a bonus for no noise", policy: schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": delta, "bonus": "quantile"}}, want: []string{"policy.bonus"}},
	} {
		c := &schemas.Counter{Name: "exact"}
		switch tt.counter {
		case "none":
			c = nil
		case "hybrid":
			c = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("1"), Horizon: 100}
		}
		_, err := Standard().New(declare(tt.policy, c), labels(3))
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), paths(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// linucb declares a policy that sums contexts, with a bound on their length.
func linucb(bound string) schemas.Policy {
	p := schemas.Policy{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "theta_bound": 1.0, "noise_sd": 0.5}}
	if bound != "" {
		p.Set("context_l1", schemas.MustRational(bound))
	}
	return p
}

// TestCostOfDeclaredSensitivity: noise that was scaled for another length of
// contexts than the declared bound costs bound/sensitivity times ε.
func TestCostOfDeclaredSensitivity(t *testing.T) {
	for _, tt := range []struct{ bound, sensitivity, want string }{
		{"1", "", "1/4"},
		{"3", "", "1/4"}, // scaled for the bound
		{"3", "3", "1/4"},
		{"3", "1", "3/4"}, // LinPriv as if every context had length 1
		{"1/2", "1", "1/8"},
	} {
		for _, name := range []string{"laplace", "hybrid", "binary", "tree", "epochs"} {
			c := &schemas.Counter{Name: name, Epsilon: schemas.MustRational("1/4"), Horizon: 1000}
			if tt.sensitivity != "" {
				c.Sensitivity = schemas.MustRational(tt.sensitivity)
			}
			m, err := Standard().New(declare(linucb(tt.bound), c), labels(3))
			if err != nil {
				t.Errorf("%s, bound %s, sensitivity %s: %v", name, tt.bound, tt.sensitivity, err)
				continue
			}
			want, _ := new(big.Rat).SetString(tt.want)
			if got := m.Law().Epsilon().Rat(); got == nil || got.Cmp(want) != 0 {
				t.Errorf("%s, bound %s, sensitivity %s: ε = %v, want %s", name, tt.bound, tt.sensitivity, got, tt.want)
			}
		}
	}
}

// TestCounterFaults: what a counter takes of the protocol is faulted by its path.
func TestCounterFaults(t *testing.T) {
	counter := func(name, sensitivity, exponent string) *schemas.Counter {
		c := &schemas.Counter{Name: name}
		if name != "exact" {
			c.Epsilon, c.Horizon = schemas.MustRational("1"), 1000
		}
		if sensitivity != "" {
			c.Sensitivity = schemas.MustRational(sensitivity)
		}
		if exponent != "" {
			c.Exponent = schemas.MustRational(exponent)
		}
		return c
	}
	softmax := schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.0}}
	for _, tt := range []struct {
		name    string
		policy  schemas.Policy
		counter *schemas.Counter
		want    []string
	}{
		{"sensitivity of sums", softmax, counter("hybrid", "1", ""), []string{"counter.sensitivity"}},
		{"sensitivity without noise", linucb("1"), counter("exact", "1", ""), []string{"counter.sensitivity"}},
		{"a bound without noise", linucb("1"), counter("exact", "", ""), nil},
		{"no bound", linucb(""), counter("hybrid", "", ""), []string{"policy.context_l1"}},
		{"bound of inf", linucb("inf"), counter("hybrid", "1", ""), []string{"policy.context_l1"}},
		{"bound of 0", linucb("0"), counter("hybrid", "1", ""), []string{"policy.context_l1"}},
		{"long contexts", linucb("65537"), counter("hybrid", "1", ""), []string{"policy.context_l1"}},
		{"sensitivity of inf", linucb("1"), counter("hybrid", "inf", ""), []string{"counter.sensitivity"}},
		{"sensitivity below 0", linucb("1"), counter("hybrid", "-1", ""), []string{"counter.sensitivity"}},
		{"exponent of inf", softmax, counter("interval", "", "inf"), []string{"counter.exponent"}},
		{"exponent of 2", softmax, counter("interval", "", "2"), []string{"counter.exponent"}},
		{"exponent of 3/2", softmax, counter("interval", "", "3/2"), nil},
		{"exponent of hybrid", softmax, counter("hybrid", "", "1.1"), []string{"counter.exponent"}},
	} {
		_, err := Standard().New(declare(tt.policy, tt.counter), labels(3))
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), paths(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", tt.name, diff, err)
		}
	}
}
