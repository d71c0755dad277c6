package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// missingLog is the analysis of 1,000 rounds of two arms that are drawn evenly and pay
// alike, of which gone says which rewards are missing; seed is another log.
func missingLog(t *testing.T, rule, policy string, seed int, gone func(i int, r *logfile.Row) bool) map[string]schemas.Test {
	t.Helper()
	source := protocolOf("propensity: propensity, missing_reward: "+rule) + policy + `
analysis:
  chosen: before
  multiplicity: none
  tests:
    - {id: D, difference: [b, a], value: 0}
    - {id: Q, equal: [a, b]}
    - {id: R, equal: all, decide: rerun}
    - {id: A, equal: all, decide: assignment}
`
	e := twoArmed(t, source, logfile.RewardBool, 1000+seed, always(.5, .5, .5), func(i int, r *logfile.Row) {
		if gone(i, r) {
			r.Reward = math.NaN()
		}
	})
	out := map[string]schemas.Test{}
	for _, x := range e.Tests {
		out[x.ID] = x
	}
	return out
}

// TestMissingByArm: where check H11 finds rewards missing in one arm more than in the
// other, nothing is decided by known rewards alone: of arms that pay alike the runs of the
// policy rejected every log. What is over all rounds goes on, and rejects none.
func TestMissingByArm(t *testing.T) {
	t.Parallel()
	for seed := range 10 {
		got := missingLog(t, "exclude", "policy: {name: uniform}", seed, func(i int, r *logfile.Row) bool { return r.Arm == 1 && r.Reward == 1 && i%5 < 2 })
		for id, by := range map[string]string{"D": schemas.MethodAnyTime, "Q": schemas.MethodAnyTime, "R": "", "A": ""} {
			x := got[id]
			if x.DecidedBy != by || x.Decision == schemas.DecisionRejected || by == "" && !strings.Contains(x.Choice, "H11") {
				t.Errorf("log %d, %s: %s by %q: %s", seed, id, x.Decision, x.DecidedBy, x.Choice)
			}
		}
	}
}

// TestMissingByArmInTime: rewards that are missing in one arm early and in the other late
// have equal shares over all rounds. Means that move would then differ over known rounds.
func TestMissingByArmInTime(t *testing.T) {
	t.Parallel()
	for seed := range 5 {
		got := missingLog(t, "exclude-independent", "policy: {name: uniform}", seed, func(i int, r *logfile.Row) bool { return (r.Arm == 1) == (i >= 500) && i%5 < 2 })
		early := missingLog(t, "exclude-independent", "policy: {name: uniform}", seed, func(i int, r *logfile.Row) bool { return r.Arm == 1 && i < 500 && i%5 < 2 })
		if x := early["D"]; x.DecidedBy != schemas.MethodAnyTime {
			t.Errorf("log %d, in one arm early: D is decided by %q: %s", seed, x.DecidedBy, x.Choice)
		}
		for id, by := range map[string]string{"D": schemas.MethodAnyTime, "R": "", "A": ""} {
			if x := got[id]; x.DecidedBy != by {
				t.Errorf("log %d, %s is decided by %q: %s", seed, id, x.DecidedBy, x.Choice)
			}
		}
	}
}

// TestMissingStatesItsCondition: what is decided by known rewards alone says on what that
// rests, where a reward is missing and nowhere else.
func TestMissingStatesItsCondition(t *testing.T) {
	t.Parallel()
	const uniform = "policy: {name: uniform}"
	fifth := func(i int, _ *logfile.Row) bool { return i%5 == 0 }
	for name, c := range map[string]struct {
		rule, policy string
		gone         func(int, *logfile.Row) bool
		by           map[string]string // what decides
		unless       map[string]string // and the last of its conditions
	}{
		"by value":      {"exclude", uniform, fifth, map[string]string{"D": "rerun", "R": "rerun", "A": "assignment"}, map[string]string{"D": schemas.ValidIfMissing, "R": schemas.ValidIfMissing, "A": schemas.ValidIfMissing}},
		"independent":   {"exclude-independent", uniform, fifth, map[string]string{"D": "corrected", "R": "rerun", "A": "assignment"}, map[string]string{"D": schemas.ValidIfKnown, "R": schemas.ValidIfMissing, "A": schemas.ValidIfMissing}},
		"no policy":     {"exclude", "", fifth, map[string]string{"D": "assignment", "Q": "assignment"}, map[string]string{"D": schemas.ValidIfMissing, "Q": schemas.ValidIfMissing}},
		"by arm alone":  {"exclude-independent", uniform, func(i int, r *logfile.Row) bool { return r.Arm == 1 && i%5 == 0 }, map[string]string{"D": "corrected"}, map[string]string{"D": schemas.ValidIfKnown}},
		"none, uniform": {"exclude-independent", uniform, func(int, *logfile.Row) bool { return false }, map[string]string{"D": "corrected", "R": "rerun", "A": "assignment"}, map[string]string{}},
	} {
		got := missingLog(t, c.rule, c.policy, 0, c.gone)
		for id, by := range c.by {
			x := got[id]
			of := x.ValidIf()
			if x.DecidedBy != by || !strings.HasSuffix(of, c.unless[id]) || c.unless[id] == "" && (strings.Contains(of, schemas.ValidIfMissing) || strings.Contains(of, schemas.ValidIfKnown)) {
				t.Errorf("%s, %s: by %q (%s), %s", name, id, x.DecidedBy, x.Choice, of)
			}
		}
	}
}

// TestMeanOfAllRounds: a mean by wagers that count a missing reward as 0 both ways is over
// all rounds that played the arm, of which no estimate is known.
func TestMeanOfAllRounds(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{"exclude": "all rounds played", "exclude-independent": ""} {
		source := protocolOf("propensity: propensity, missing_reward: "+rule) + "analysis: {chosen: before, tests: [{id: M, arm: a, mean: 0.5}]}\n"
		e := twoArmed(t, source, logfile.RewardBool, 400, always(.5, .5, .5), func(i int, r *logfile.Row) {
			if i%5 == 0 {
				r.Reward = math.NaN()
			}
		})
		m, pulls := &e.Tests[0], e.Arms[0].Pulls
		all := want != ""
		if m.DecidedBy != schemas.MethodAnyTime || m.Over != want || (m.Estimate == nil) != all || (m.N == pulls) != all || strings.Contains(m.Hypothesis, "whose reward is known") == all {
			t.Errorf("%s: by %s over %q, %d of %d rounds, estimate %v: %s", rule, m.DecidedBy, m.Over, m.N, pulls, m.Estimate, m.Hypothesis)
		}
	}
}
