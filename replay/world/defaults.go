package world

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// parameter is a key of a policy or counter with its value, in YAML.
type parameter struct{ key, value string }

// policyKeys and counterKeys are what Set may hold, in the order in which a
// protocol is written.
func policyKeys() []string {
	return []string{
		"width", "bonus", "floor", "ties", "explore", "prior", "eta", "probabilities",
		"lambda", "theta_bound", "noise_sd", "context_l1", "update",
	}
}

func counterKeys() []string {
	return []string{"epsilon", "horizon", "grid", "exponent", "sensitivity"}
}

// setKeys lists the keys of Starter.Set.
func setKeys() []string {
	return append(policyKeys(), slices.DeleteFunc(counterKeys(), func(k string) bool { return k == "epsilon" })...)
}

// checkSet refuses keys that no policy or counter has, and values that are more
// than one value of YAML: what follows the first would be keys of its own.
func (s Starter) checkSet() error {
	var faults []error
	for _, c := range []struct{ flag, value, example string }{
		{"policy", s.Policy, "ucb"}, {"counter", s.Counter, "hybrid"}, {"epsilon", s.Epsilon, "0.25"}, {"context-l1", s.ContextL1, "1"},
	} {
		if c.value != "" && !isScalar(c.value) {
			faults = append(faults, faultf(c.flag, "%q is not one value; write one, such as %s", c.value, c.example))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		if !slices.Contains(setKeys(), key) {
			faults = append(faults, faultf("set", "%q is no parameter of a policy or counter; they are %s", key, strings.Join(setKeys(), ", ")))
		}
		if v := s.Set[key]; !isOneValue(v) {
			faults = append(faults, faultf("set", "%s has the value %q, which is not one value of YAML; write %s=VALUE, such as floor=0.1 or width={c: 2}", key, v, key))
		}
		if slices.Contains(counterKeys(), key) && s.Counter == "" {
			faults = append(faults, faultf("set", "%s is a parameter of a counter, and none is asked for; give --counter, or leave it out", key))
		}
	}
	return errors.Join(faults...)
}

// policyParameters are what the policy is declared with.
//
//	ucb, successive-elimination  width δ = 0.05; bonus quantile, none for exact
//	fixed                        the same probability for every arm
//	epsilon-greedy               explore 0.1
//	thompson                     Beta(1, 1) for rewards of 0 and 1; else normal,
//	                             mean 0.5, variance 1, noise 0.25
//	softmax                      η = 0.1
//	linucb, lints                λ = 1, noise 0.5, context_l1 and theta_bound as
//	                             the world has them
func (s Starter) policyParameters() []parameter {
	given := map[string]string{}
	switch s.Policy {
	case "ucb", "successive-elimination":
		given["width"], given["bonus"] = "{delta: 0.05}", "quantile"
		if s.Counter == "exact" {
			given["bonus"] = "none"
		}
	case "fixed":
		given["probabilities"] = "[" + strings.Join(equalShares(len(s.Labels)), ", ") + "]"
	case "epsilon-greedy":
		given["explore"] = "0.1"
	case "thompson":
		given["prior"] = "{mean: 0.5, variance: 1, noise: 0.25}"
		if s.World == "" || s.World == Bernoulli || s.World == Drift {
			given["prior"] = "{alpha: 1, beta: 1}"
		}
	case "softmax":
		given["eta"] = "0.1"
	case "linucb", "lints":
		given["lambda"], given["noise_sd"] = "1", "0.5"
		given["theta_bound"], given["context_l1"] = s.thetaBound(), s.contextL1()
	}
	if s.Batch {
		given["update"] = "batch"
	}
	maps.Copy(given, s.Set)
	return listed(given, policyKeys())
}

// listed returns what is given in the order of keys.
func listed(given map[string]string, keys []string) []parameter {
	var out []parameter
	for _, k := range keys {
		if v, ok := given[k]; ok {
			out = append(out, parameter{k, v})
		}
	}
	return out
}

// counterParameters are what the counter is declared with: its ε, a horizon of
// the rounds for those that have one, and rewards on a lattice of 2^-20.
func (s Starter) counterParameters() []parameter {
	if s.Counter == "exact" {
		return listed(s.Set, counterKeys())
	}
	given := map[string]string{"epsilon": s.Epsilon, "horizon": strconv.FormatInt(s.Rounds, 10), "grid": "2^-20"}
	if (s.Counter == "laplace" || s.Counter == "epochs") && !s.widened() {
		delete(given, "horizon") // these have none
	}
	maps.Copy(given, s.Set)
	return listed(given, counterKeys())
}

// widened reports whether the policy's index allows for the counter's noise, an
// error that is spread over K·horizon events.
func (s Starter) widened() bool {
	if s.Policy == "linucb" {
		return true
	}
	for _, p := range s.policyParameters() {
		if p.key == "bonus" {
			return p.value != "none"
		}
	}
	return false
}

// equalShares are K probabilities that add up to 1 as they are written, within
// the rounding of one of them.
func equalShares(k int) []string {
	out := make([]string, k)
	for i := range out {
		out[i] = strconv.FormatFloat(1/float64(k), 'g', -1, 64)
	}
	return out
}

func (s Starter) contextL1() string {
	if s.ContextL1 != "" {
		return s.ContextL1
	}
	return "1"
}

// thetaBound is √d/l1 unless another is asked for, rounded up to 6 decimals.
func (s Starter) thetaBound() string {
	bound := s.ThetaBound
	if bound == 0 {
		l1 := 1.0
		if r, err := schemas.ParseRational(s.contextL1()); err == nil && !r.Inf() {
			l1, _ = r.Rat().Float64()
		}
		if !(l1 > 0) {
			l1 = 1 // the format says what is wrong with it
		}
		bound = math.Sqrt(float64(s.ContextDim)) / l1
	}
	return fmt.Sprint(math.Ceil(bound*1e6) / 1e6)
}
