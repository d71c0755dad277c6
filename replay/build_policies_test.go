package replay

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

// Every policy with what it needs and what it may have, and with each of its
// parameters wrong.
func TestNewPolicies(t *testing.T) {
	delta, inf := &schemas.Width{Delta: new(0.05)}, new(math.Inf(1))
	third := []float64{0.1, 0.7, 0.2}
	batch := &schemas.Update{Batch: true}
	for _, tt := range []struct {
		name    string
		policy  schemas.Policy
		counter string // exact, unless it is given
		want    []string
	}{
		{name: "fixed", policy: schemas.Policy{Name: "fixed", Probabilities: third}, counter: "none"},
		{name: "fixed beside a counter", policy: schemas.Policy{Name: "fixed", Probabilities: third, Floor: new(0.01), Update: batch}},
		{name: "fixed with nothing", policy: schemas.Policy{Name: "fixed"}, counter: "none", want: []string{"policy.probabilities"}},
		{name: "two probabilities", policy: schemas.Policy{Name: "fixed", Probabilities: []float64{0.5, 0.5}, Ties: "seeded"}, want: []string{"policy.ties", "policy.probabilities"}},
		{name: "no probabilities", policy: schemas.Policy{Name: "fixed", Probabilities: []float64{-0.5, nan(), 2}}, want: []string{"policy.probabilities", "policy.probabilities", "policy.probabilities"}},
		{name: "not enough", policy: schemas.Policy{Name: "fixed", Probabilities: []float64{0.3, 0.3, 0.3}}, want: []string{"policy.probabilities"}},

		{name: "greedy", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Constant: new(0.1)}, Ties: "seeded", Floor: new(0.1), Update: batch}},
		{name: "never exploring", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Constant: new(0.0)}}, counter: "hybrid"},
		{name: "decaying", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Decay: new(5.0)}}},
		{name: "greedy with nothing", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{}}, counter: "none", want: []string{"counter", "policy.explore"}},
		{name: "twice", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Constant: new(0.1), Decay: new(1.0)}}, want: []string{"policy.explore"}},
		{name: "above 1", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Constant: new(1.1)}, Eta: new(1.0)}, want: []string{"policy.eta", "policy.explore"}},
		{name: "decay of nothing", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Decay: new(0.0)}}, want: []string{"policy.explore.decay"}},
		{name: "no decay", policy: schemas.Policy{Name: "epsilon-greedy", Explore: &schemas.Explore{Decay: inf}}, want: []string{"policy.explore.decay"}},

		{name: "softmax", policy: schemas.Policy{Name: "softmax", Eta: new(0.1), Floor: new(0.1), Update: batch}, counter: "hybrid"},
		{name: "softmax with nothing", policy: schemas.Policy{Name: "softmax", Ties: "seeded"}, counter: "none", want: []string{"policy.ties", "counter", "policy.eta"}},
		{name: "softmax at 0", policy: schemas.Policy{Name: "softmax", Eta: new(0.0)}, want: []string{"policy.eta"}},
		{name: "softmax at infinity", policy: schemas.Policy{Name: "softmax", Eta: inf}, want: []string{"policy.eta"}},

		{name: "thompson", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Alpha: new(1.0), Beta: new(0.5)}, Floor: new(0.1), Update: batch}, counter: "hybrid"},
		{name: "thompson, normal", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Mean: new(0.0), Variance: new(1.0), Noise: new(0.25)}}},
		{name: "thompson with nothing", policy: schemas.Policy{Name: "thompson", Ties: "seeded"}, counter: "none", want: []string{"policy.ties", "counter", "policy.prior"}},
		{name: "thompson of both priors", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Alpha: new(1.0), Noise: new(1.0)}}, want: []string{"policy.prior"}},
		{name: "half a Beta", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Alpha: new(1.0)}}, want: []string{"policy.prior.beta"}},
		{name: "a third of a normal", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Noise: new(0.25)}}, want: []string{"policy.prior.mean", "policy.prior.variance"}},
		{name: "no Beta", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Alpha: new(0.0), Beta: inf}}, want: []string{"policy.prior.alpha", "policy.prior.beta"}},
		{name: "no normal", policy: schemas.Policy{Name: "thompson", Prior: &schemas.Prior{Mean: new(nan()), Variance: inf, Noise: new(0.0)}}, want: []string{"policy.prior.mean", "policy.prior.variance", "policy.prior.noise"}},

		{name: "elimination", policy: schemas.Policy{Name: "successive-elimination", Width: delta, Ties: "seeded", Floor: new(0.1), Update: batch}},
		{name: "elimination with a bonus", policy: schemas.Policy{Name: "successive-elimination", Width: delta, Bonus: "quantile"}, counter: "hybrid"},
		{name: "elimination with nothing", policy: schemas.Policy{Name: "successive-elimination"}, counter: "none", want: []string{"policy.width", "counter"}},
		{name: "elimination with a bonus for no noise", policy: schemas.Policy{Name: "successive-elimination", Width: delta, Bonus: "quantile"}, want: []string{"policy.bonus"}},
	} {
		c := &schemas.Counter{Name: "exact"}
		switch tt.counter {
		case "none":
			c = nil
		case "hybrid":
			c = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("1"), Horizon: 100}
		}
		_, err := New(declare(tt.policy, c), labels(3))
		if diff := cmp.Diff(tt.want, paths(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
