package replay

import (
	"errors"
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
