package analyze_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// reruns are 60 experiments of UCB1 whose arms differ, with one test each: 999 runs give no p
// below α/60.
func reruns(t *testing.T, declared string) *lab {
	t.Helper()
	source := "version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a, b]\nreward: {range: [0, 1]}\n" +
		"policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\nanalysis: {chosen: before, " + declared + "tests: [{id: E, equal: all}]}\n"
	return simulated(t, source, 5, &world.Spec{World: "bernoulli", Means: []float64{.1, .9}, Rounds: 60, Repeat: 60})
}

// TestFamilyOfReruns: runs of the policy go on where the family over experiments needs them, so
// that it rejects; where draws are declared they do not, and a caution names how many it takes.
// What an experiment decides is the same, and so is everything for every number of jobs.
func TestFamilyOfReruns(t *testing.T) {
	t.Parallel()
	more := reruns(t, "")
	grown, one := more.analyse(t, 2), more.analyse(t, 1)
	if d := cmp.Diff(one, grown); d != "" {
		t.Fatalf("-1 job +2 jobs:\n%s", d)
	}
	fixed := reruns(t, "rerun: {draws: 999}, ").analyse(t, 2)
	for i := range fixed.Experiments {
		a, b := &fixed.Experiments[i].Tests[0], &grown.Experiments[i].Tests[0]
		if a.Decision != b.Decision {
			t.Errorf("experiment %d: %s became %s", i, a.Decision, b.Decision)
		}
	}
	if f := grown.Family; f.Alone < 30 || f.Rejected < 10 || f.Floored != 0 || f.Caution != "" || grown.Cautions != 0 {
		t.Errorf("runs go on: %d of %d rejected, %q", f.Rejected, f.Alone, f.Caution)
	}
	// 60 experiments, 60/.05 = 1,200
	f := fixed.Family
	if f.Rejected != 0 || f.Floored < 10 || f.Draws != 1200 || !strings.Contains(f.Caution, "analysis.rerun.draws: 1200") || fixed.Cautions != 1 || !strings.HasSuffix(fixed.Overall, ", 1 CAUTION") {
		t.Errorf("999 runs: %d rejected, %q, %s", f.Rejected, f.Caution, fixed.Overall)
	}
	for _, r := range []*schemas.Results{grown, fixed} {
		if c := r.Family.Combined; len(c) != 1 || c[0].Experiments != 60 || *c[0].P > 1e-20 {
			t.Errorf("combined: %d, %g", len(c), *c[0].P)
		}
	}
	named := reruns(t, "rerun: {draws: 1200}, ").analyse(t, 2)
	if f := named.Family; f.Rejected == 0 || f.Caution != "" {
		t.Errorf("the named draws: %d rejected, %q", f.Rejected, f.Caution)
	}
}

// TestEqualRewards: where all rewards are equal a test of equality, or of a difference, is not
// rejected, and is not "not applicable". A re-run has one statistic in every run, so that p is 1;
// wagers go on the arms or rewards of each round, and have a p of their own.
func TestEqualRewards(t *testing.T) {
	t.Parallel()
	for _, tests := range []string{"{id: E, equal: all}", "{id: E, difference: [a, b], value: 0}"} {
		for _, c := range []struct{ decide, method, policy string }{
			{"auto", schemas.MethodRerun, "policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\n"},
			{"assignment", schemas.MethodAssignment, ""},
			{"any-time", schemas.MethodAnyTime, ""},
		} {
			for _, mean := range []float64{0, 1} {
				log := "log: {order: [round], action: action, reward: reward}\n"
				policy := c.policy
				if policy == "" {
					log = "log: {order: [round], action: action, reward: reward, propensity: propensity, propensity_by_arm: propensity_by_arm}\n"
					policy = "policy: {name: thompson, prior: {alpha: 1, beta: 1}}\ncounter: {name: exact}\n"
				}
				source := "version: 1\nexperiment: {id: e, stopping: fixed}\n" + log + "arms: [a, b]\nreward: {range: [0, 1]}\n" + policy +
					"analysis: {chosen: before, decide: " + c.decide + ", tests: [" + tests + "]}\n"
				got := simulated(t, source, 7, &world.Spec{World: "bernoulli", Means: []float64{mean, mean}, Rounds: 300}).analyse(t, 1).Experiments[0].Tests[0]
				if m := got.Result(c.method); got.Decision != schemas.DecisionKept || got.DecidedBy != c.method || m == nil || m.P == nil || *m.P < .05 || c.method == schemas.MethodRerun && *m.P != 1 {
					t.Errorf("%s by %s, rewards %g: %s by %q, %s", tests, c.decide, mean, got.Decision, got.DecidedBy, got.Choice)
				}
			}
		}
	}
}
