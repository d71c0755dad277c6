package replay

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

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
