package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas/param"
)

// collector is a judge of two arms that keeps the paths of faults.
type collector struct {
	t     *testing.T
	paths []string
}

func (c *collector) Fail(path, what, why, mend string) {
	if what == "" || why == "" || mend == "" {
		c.t.Errorf("%s: an incomplete fault: %q, %q, %q", path, what, why, mend)
	}
	if c.Sound(path) {
		c.paths = append(c.paths, path)
	}
}

func (c *collector) Sound(path string) bool {
	return !slices.ContainsFunc(c.paths, func(p string) bool { return strings.HasPrefix(p, path) || strings.HasPrefix(path, p) })
}

func (c *collector) Word(path, value string, words []string) {
	if value != "" && !slices.Contains(words, value) {
		c.Fail(path, "is "+value, "it must be one of a few words", "write one of them")
	}
}

func (*collector) Arms() int { return 2 }

// described returns the descriptor of a name.
func described(t *testing.T, name string) *Descriptor {
	t.Helper()
	all := All()
	i := slices.IndexFunc(all, func(d Descriptor) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("there is no policy %s", name)
	}
	return &all[i]
}

// linear are the values of linucb, but for its width.
func linear(lambda, sd, theta float64) param.Values {
	return param.Values{"lambda": lambda, "noise_sd": sd, "theta_bound": theta}
}

// TestFaultsOfValues: what is refused of the keys that a policy has of its own.
func TestFaultsOfValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type values = param.Values
	width := func(v values) values { return values{"width": v} }
	prior := func(v values) values { return values{"prior": v} }
	probs := func(p ...float64) values { return values{"probabilities": p} }
	for _, tt := range []struct {
		policy string
		v      values
		want   []string
	}{
		{"uniform", nil, nil},
		{"uniform", values{"eta": 1.0}, []string{"policy.eta"}},
		{"softmax", nil, []string{"policy.eta"}},
		{"softmax", values{"eta": 0.1, "explore": 0.1}, []string{"policy.explore"}},
		{"softmax", values{"eta": 0.0}, []string{"policy.eta"}},
		{"softmax", values{"eta": inf}, []string{"policy.eta"}},
		{"softmax", values{"eta": nan}, []string{"policy.eta"}},
		{"softmax", values{"eta": 1}, []string{"policy.eta"}}, // an int is no number of a protocol
		{"softmax", values{"eta": 1.0, "etta": 1.0}, []string{"policy.etta"}},
		{"inverse-gap", nil, []string{"policy.gamma"}},
		{"inverse-gap", values{"gamma": values{"exponent": 0.5}}, []string{"policy.gamma.scale"}},
		{"inverse-gap", values{"gamma": values{"scale": 10.0, "exponent": 1.5, "clock": "learned"}, "minimise": "true"}, []string{"policy.gamma.exponent", "policy.gamma.clock", "policy.minimise"}},
		{"inverse-gap", values{"gamma": 0.0, "minimise": true}, nil},
		{"exp3", nil, []string{"policy.gamma"}},
		{"exp3", values{"gamma": 1.0, "start": "random"}, nil},
		{"exp3", values{"gamma": 0.0}, []string{"policy.gamma"}},
		{"exp3", values{"gamma": 1.1, "start": "any"}, []string{"policy.gamma", "policy.start"}},
		{"epsilon-greedy", nil, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": 0.0}, nil},
		{"epsilon-greedy", values{"explore": 1.0}, nil},
		{"epsilon-greedy", values{"explore": -0.1}, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": 1.1}, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": nan}, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": "often"}, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": values{"decay": 0.5}}, nil},
		{"epsilon-greedy", values{"explore": values{}}, []string{"policy.explore"}},
		{"epsilon-greedy", values{"explore": values{"decay": -1.0}}, []string{"policy.explore.decay"}},
		{"epsilon-greedy", values{"explore": values{"decay": inf}}, []string{"policy.explore.decay"}},
		{"epsilon-greedy", values{"explore": values{"decay": nan}}, []string{"policy.explore.decay"}},
		{"fixed", probs(0.1, 0.9), nil},
		{"fixed", probs(0.1+0.2, 0.7), nil}, // adds up to 1.0000000000000002
		{"fixed", nil, []string{"policy.probabilities"}},
		{"fixed", probs(), []string{"policy.probabilities"}},
		{"fixed", probs(0.2, 0.3, 0.5), []string{"policy.probabilities"}},
		{"fixed", probs(0.5, 0.4), []string{"policy.probabilities"}},
		{"fixed", probs(1.5, -0.5), []string{"policy.probabilities[0]", "policy.probabilities[1]"}},
		{"fixed", probs(nan, 1), []string{"policy.probabilities[0]"}},
		{"fixed", probs(inf, 1), []string{"policy.probabilities[0]"}},
		{"ucb", nil, []string{"policy.width"}},
		{"ucb", width(values{"delta": 0.05}), nil},
		{"ucb", width(values{"c": 2.0}), nil},
		{"ucb", width(values{}), []string{"policy.width"}},
		{"ucb", width(values{"delta": 1.0, "c": -1.0}), []string{"policy.width.c"}},
		{"ucb", width(values{"delta": nan}), []string{"policy.width.delta"}},
		{"ucb", width(values{"c": inf}), []string{"policy.width.c"}},
		{"successive-elimination", values{"width": values{"c": 0.0}, "bonus": "wide"}, []string{"policy.width.c", "policy.bonus"}},
		{"thompson", nil, []string{"policy.prior"}},
		{"thompson", prior(values{"alpha": 1.0, "beta": 1.0}), nil},
		{"thompson", prior(values{"alpha": 1e-3, "beta": 1e9}), nil},
		{"thompson", prior(values{"alpha": 0.0, "beta": inf}), []string{"policy.prior.alpha", "policy.prior.beta"}},
		{"thompson", prior(values{"alpha": nan, "beta": -1.0}), []string{"policy.prior.alpha", "policy.prior.beta"}},
		{"thompson", prior(values{"alpha": 1.0}), []string{"policy.prior.beta"}},
		{"thompson", prior(values{"alpha": 0.0}), []string{"policy.prior.beta", "policy.prior.alpha"}},
		{"thompson", prior(values{"alpha": 1.0, "noise": 1.0}), []string{"policy.prior"}},
		{"thompson", prior(values{}), []string{"policy.prior"}},
		{"thompson", prior(values{"mean": -1.0, "variance": 1e-12, "noise": 1e12}), nil},
		{"thompson", prior(values{"mean": nan, "variance": nan, "noise": nan}), []string{"policy.prior.mean", "policy.prior.variance", "policy.prior.noise"}},
		{"thompson", prior(values{"mean": inf, "variance": 0.0, "noise": inf}), []string{"policy.prior.mean", "policy.prior.variance", "policy.prior.noise"}},
		{"linucb", linear(1, 0.5, 1), nil},
		{"linucb", nil, []string{"policy.lambda", "policy.theta_bound", "policy.noise_sd"}},
		{"linucb", linear(1e60, 1e-60, 1e60).With("width", values{"delta": 1e-9}), nil},
		{"linucb", linear(1.1e60, 0.9e-60, inf).With("width", values{"delta": 1.0}), []string{"policy.lambda", "policy.theta_bound", "policy.noise_sd", "policy.width.delta"}},
		{"linucb", linear(nan, nan, nan).With("width", values{"delta": nan}), []string{"policy.lambda", "policy.theta_bound", "policy.noise_sd", "policy.width.delta"}},
		{"linucb", linear(-1, 1, 1).With("width", values{"delta": -0.5}), []string{"policy.lambda", "policy.width.delta"}},
		{"linucb", linear(1, 1, 1).With("width", values{"c": 2.0}), []string{"policy.width.c"}},
		{"linucb", linear(1, 1, 1).With("bonus", "quantile"), []string{"policy.bonus"}},
		{"linucb", linear(1, 1, 1).With("context_l1", param.MustRational("65537")), []string{"policy.context_l1"}},
		{"linucb", linear(1, 1, 1).With("context_l1", param.MustRational("inf")), []string{"policy.context_l1"}},
		{"lints", values{"lambda": 1.0, "noise_sd": 0.5}, nil},
		{"lints", nil, []string{"policy.lambda", "policy.noise_sd"}},
		{"lints", linear(1, inf, 1), []string{"policy.noise_sd"}},
	} {
		j := &collector{t: t}
		described(t, tt.policy).Check(j, tt.v)
		if diff := cmp.Diff(tt.want, j.paths); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", tt.policy, tt.v, diff)
		}
	}
}

// TestFaultsBesideACounter: what is refused of a policy by its counter.
func TestFaultsBesideACounter(t *testing.T) {
	type values = param.Values
	exact, noisy := &param.Beside{Name: "exact"}, &param.Beside{Name: "hybrid", Noise: true}
	at := func(horizon int64) *param.Beside { return &param.Beside{Name: "hybrid", Noise: true, Horizon: horizon} }
	bounded := values{"context_l1": param.MustRational("1")}
	for _, tt := range []struct {
		policy string
		v      values
		c      *param.Beside
		want   []string
	}{
		{"uniform", nil, nil, nil},
		{"softmax", nil, nil, []string{"counter"}},
		{"softmax", nil, exact, nil},
		{"exp3", values{"gamma": 0.1}, exact, nil},
		{"exp3", values{"gamma": 0.1}, noisy, []string{"policy.gamma"}},
		{"ucb", values{"bonus": "none"}, exact, nil},
		{"ucb", values{"bonus": "quantile"}, exact, []string{"policy.bonus"}},
		{"ucb", values{"bonus": "quantile"}, noisy, []string{"counter.horizon"}},
		{"ucb", values{"bonus": "quantile"}, at(1), nil},
		{"ucb", values{"bonus": "paper"}, noisy, []string{"counter.horizon"}},
		{"ucb", values{"bonus": "paper"}, at(1), []string{"counter.horizon"}},
		{"ucb", values{"bonus": "paper"}, at(2), nil},
		{"linucb", nil, exact, nil},
		{"linucb", nil, noisy, []string{"counter.horizon", "policy.context_l1"}},
		{"linucb", bounded, at(10), nil},
		{"linucb", bounded.With("bonus", "quantile"), noisy, []string{"counter.horizon"}}, // whatever is wrong with its bonus
		{"lints", nil, noisy, []string{"policy.context_l1"}},
		{"lints", bounded, noisy, nil},
	} {
		j := &collector{t: t}
		described(t, tt.policy).CheckBeside(j, tt.v, tt.c)
		if diff := cmp.Diff(tt.want, j.paths); diff != "" {
			t.Errorf("%s %v beside %v (-want +got):\n%s", tt.policy, tt.v, tt.c, diff)
		}
	}
}

// TestDescriptorsAreWhole: what every descriptor must say, and that it says of
// the policy what the policy says of itself.
func TestDescriptorsAreWhole(t *testing.T) {
	gamma := func(float64) Bonus { return Paper(1) }
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			if d.Doc == "" || len(d.Variants) == 0 || d.New == nil {
				t.Fatal("it lacks a sentence, a variant for the table of mechanisms, or a constructor")
			}
			for _, key := range d.Keys {
				if key.Doc == "" || key.Form == nil || key.Needed && (key.Why == "" || key.Mend == "") {
					t.Errorf("%s lacks a sentence, a form, or what is said where it is missing", key.Name)
				}
			}
			v := started(t, &d)
			p := d.New(v, Bandit{Arms: 2, Noise: true, Horizon: 10, Epsilon: 1, Quantile: gamma})(Draws{})
			_, linear := p.(Linear)
			if p.Random() != d.Drawn(v) || p.ReadsRewards() != d.Learns() || linear != d.Linear() {
				t.Errorf("the policy draws: %v, reads rewards: %v, reads vectors: %v, and its descriptor says %v, %v, %v",
					p.Random(), p.ReadsRewards(), linear, d.Drawn(v), d.Learns(), d.Linear())
			}
			if d.FixedProbabilities && d.Learns() || d.Uniform && !d.FixedProbabilities {
				t.Error("what is declared is not learned, and what is alike is declared")
			}
		})
	}
}

// started are the values with which simulate starts the policy, of the keys that
// it needs.
func started(t *testing.T, d *Descriptor) param.Values {
	t.Helper()
	v := map[string]param.Values{
		"fixed": {"probabilities": []float64{0.5, 0.5}}, "epsilon-greedy": {"explore": 0.1}, "thompson": {"prior": param.Values{"alpha": 1.0, "beta": 1.0}},
		"softmax": {"eta": 0.1}, "exp3": {"gamma": 0.1}, "inverse-gap": {"gamma": 20.0}, "ucb": {"width": param.Values{"delta": 0.05}, "bonus": "quantile"}, "successive-elimination": {"width": param.Values{"delta": 0.05}, "bonus": "paper"},
		"linucb": linear(1, 0.5, 1), "lints": linear(1, 0.5, 1),
	}[d.Name]
	j := &collector{t: t}
	d.Check(j, v)
	if len(j.paths) > 0 {
		t.Fatal(fmt.Sprint("values for the tests have faults: ", j.paths))
	}
	return v
}

// TestAllowanceByLength: Γ is that of one coordinate, at the level of all over the
// length of contexts; runs share a table.
func TestAllowanceByLength(t *testing.T) {
	made := 0
	b := &byLength{level: 0.05, quantile: func(level float64) Bonus { made++; return Paper(level) }}
	if got := b.bonus(2).Gamma(1); got != 0.025 {
		t.Errorf("the level of one of two coordinates is %v", got)
	}
	if b.bonus(2); made != 1 {
		t.Errorf("%d tables for contexts of one length", made)
	}
	if got := b.bonus(4).Gamma(1); got != 0.0125 || made != 2 {
		t.Errorf("the level of one of four coordinates is %v, of %d tables", got, made)
	}
}

// TestLevelsOfBonuses: a quantile bonus is asked for δ over K·horizon events, that
// of linucb for half of it; without a δ the level is 0.05.
func TestLevelsOfBonuses(t *testing.T) {
	type values = param.Values
	for _, tt := range []struct {
		policy string
		v      values
		want   float64
	}{
		{"ucb", values{"width": values{"delta": 0.1}, "bonus": "quantile"}, 0.1 / 40},
		{"ucb", values{"width": values{"c": 2.0}, "bonus": "quantile"}, 0.05 / 40},
		{"successive-elimination", values{"width": values{"delta": 0.1}, "bonus": "quantile"}, 0.1 / 40},
		{"linucb", linear(1, 1, 1).With("width", values{"delta": 0.1}), 0.1 / 80},
		{"linucb", linear(1, 1, 1), 0.05 / 80},
	} {
		got := 0.0
		p := described(t, tt.policy).New(tt.v, Bandit{Arms: 4, Noise: true, Horizon: 10, Quantile: func(level float64) Bonus { got = level; return Paper(1) }})(Draws{})
		if l, ok := p.(Linear); ok {
			l.Size(1)
		}
		if got != tt.want {
			t.Errorf("%s %v: level %v, want %v", tt.policy, tt.v, got, tt.want)
		}
	}
}
