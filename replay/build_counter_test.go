package replay

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

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
