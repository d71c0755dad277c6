package world

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// policyKeys lists the keys of policies that Set may hold, in the order in which
// a protocol is written.
func (s Starter) policyKeys() []string {
	return slices.DeleteFunc(s.catalogue().Format().PolicyKeys(), func(key string) bool {
		return slices.Contains([]string{"name", "draws", "seed"}, key)
	})
}

// counterKeys lists the keys of counters, in the order in which a protocol is
// written.
func counterKeys() []string {
	return []string{"epsilon", "horizon", "grid", "exponent", "sensitivity"}
}

// setKeys lists the keys of Starter.Set.
func (s Starter) setKeys() []string {
	return append(s.policyKeys(), slices.DeleteFunc(counterKeys(), func(k string) bool { return k == "epsilon" })...)
}

// checkSet refuses keys that no policy or counter has, and values that are more
// than one value of YAML: what follows the first would be keys of its own.
func (s Starter) checkSet() error {
	var faults []error
	for _, c := range []struct{ flag, value, example string }{
		{"policy", s.Policy, "ucb"}, {"counter", s.Counter, "hybrid"}, {"epsilon", s.Epsilon, "0.25"}, {"context-l1", s.ContextL1, "1"},
	} {
		if c.value != "" && !isScalar(c.value) {
			faults = append(faults, faultf(c.flag, "%s is not one value; write one, such as %s", schemas.Quoted(c.value), c.example))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		if !slices.Contains(s.setKeys(), key) {
			faults = append(faults, faultf("set", "%s is no parameter of a policy or counter; they are %s", schemas.Quoted(key), strings.Join(s.setKeys(), ", ")))
		}
		if v := s.Set[key]; !isOneValue(v) {
			faults = append(faults, faultf("set", "%s has the value %s, which is not one value of YAML; write %s=VALUE, such as floor=0.1 or width={c: 2}", key, schemas.Quoted(v), key))
		}
		if slices.Contains(counterKeys(), key) && s.Counter == "" {
			faults = append(faults, faultf("set", "%s is a parameter of a counter, and none is asked for; give --counter, or leave it out", key))
		}
	}
	return errors.Join(faults...)
}

// policyParameters are what the policy is declared with, in YAML: what Set has,
// and for what it lacks where the policy says that an experiment starts.
func (s Starter) policyParameters() map[string]string {
	given := s.start()
	maps.DeleteFunc(given, func(key, _ string) bool { return slices.Contains(s.without, key) })
	if s.Batch {
		given["update"] = "batch"
	}
	maps.Copy(given, s.Set)
	return given
}

// start is where the policy says that an experiment starts: nowhere where a library's
// policy is asked for, which fills in its own.
func (s Starter) start() map[string]string {
	kind := s.catalogue().Policy(s.Policy)
	if _, like := s.Set["like"]; like || kind == nil || kind.Start == nil {
		return map[string]string{}
	}
	return kind.Start(replay.Scene{
		Arms: len(s.Labels), Noise: s.noise(), ThetaBound: s.thetaBound(), ContextL1: s.contextL1(), Binary: s.world().Binary,
	})
}

// yields are the keys of the start that cannot stand beside what Set has: eta beside
// temperature.
func (s Starter) yields(err error) []string {
	var out []string
	problems, _ := errors.AsType[schemas.Problems](err)
	for key := range s.start() {
		if _, set := s.Set[key]; !set && slices.ContainsFunc(problems, func(p schemas.Problem) bool { return p.Path == "policy."+key }) {
			out = append(out, key)
		}
	}
	return out
}

// listed returns what is given, each with its key, in the order of keys.
func listed(given map[string]string, keys []string) []string {
	var out []string
	for _, k := range keys {
		if v, ok := given[k]; ok {
			out = append(out, k+": "+v)
		}
	}
	return out
}

// counterParameters are what the counter is declared with: its ε, a horizon of
// the rounds for those that have one, and rewards on a lattice of 2^-20.
func (s Starter) counterParameters() []string {
	set := maps.Clone(s.Set)
	delete(set, "epsilon") // a policy's own
	if !s.noise() {
		return listed(set, counterKeys())
	}
	given := map[string]string{"epsilon": s.Epsilon, "horizon": strconv.FormatInt(s.Rounds, 10), "grid": "2^-20"}
	if s.catalogue().Counter(s.Counter).Horizon == param.HorizonRefused && !s.widened() {
		delete(given, "horizon")
	}
	maps.Copy(given, set)
	return listed(given, counterKeys())
}

// noise reports whether the counter adds noise.
func (s Starter) noise() bool {
	return orZero(s.catalogue().Counter(s.Counter)).Noise
}

// widened reports whether the policy's index allows for the counter's noise, an
// error that is spread over K·horizon events.
func (s Starter) widened() bool {
	declared := param.Values{}
	for key, value := range s.policyParameters() {
		declared[key] = value
	}
	kind := orZero(s.catalogue().Policy(s.Policy))
	return kind.Widened(declared)
}

func (s Starter) contextL1() string {
	return cmp.Or(s.ContextL1, "1")
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
