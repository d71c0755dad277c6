package analyze_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// again is the outcome of running the policy of a log again.
func (l *lab) again(t *testing.T, jobs int, q analyze.RerunAsked) *analyze.RerunFound {
	t.Helper()
	q.Tests = max(q.Tests, 1)
	out, err := analyze.Rerun(context.Background(), l.input(0, jobs), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rerunSource is a protocol of three arms with a policy and a counter.
func rerunSource(log, policy, counter string) string {
	return "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, reward: reward" + log + "}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {" + policy + "}\ncounter: {" + counter + "}\nanalysis: {chosen: before}\n"
}

const rerunUCB = "name: ucb, width: {c: 2}"

// rerunLab is a log of UCB1 over three arms with these means.
func rerunLab(t *testing.T, rounds int64, means ...float64) *lab {
	t.Helper()
	return simulated(t, rerunSource("", rerunUCB, "name: exact"), 11, &world.Spec{Means: means, Rounds: rounds})
}

// Arms that pay differently are told apart, and arms that pay alike are not; the answer
// says how it came about, and has one read of the rewards to itself.
func TestRerunAnswers(t *testing.T) {
	t.Parallel()
	found := rerunLab(t, 2000, .35, .5, .65).again(t, 1, analyze.RerunAsked{Tests: 2})
	r := found.Result
	if !r.Applicable || r.Method != schemas.MethodRerun || found.Draws != 999 || *r.P != 1./1000 || math.Abs(found.LogP-math.Log(*r.P)) > 1e-12 || r.Vacuous || found.Final {
		t.Errorf("unlike arms: %+v, %+v", r, found)
	}
	for _, want := range []string{
		"the statistic (spread) is as large in 0 of 999 runs, of at most 999", "of 999 runs the policy played other arms than the log",
		"records change places within blocks of 10 rounds; exact if rewards within blocks of 10 rounds are exchangeable", "of the declared policy: policy.conformance is VERIFIED, mode seed",
	} {
		if !strings.Contains(r.Reason, want) {
			t.Errorf("%q does not say %q", r.Reason, want)
		}
	}
	last := found.Booked[len(found.Booked)-1]
	if last.Purpose != "test:E:rerun" || last.Rows != 2000 {
		t.Errorf("booked %+v", last)
	}
	alike := rerunLab(t, 2000, .5, .5, .5).again(t, 1, analyze.RerunAsked{})
	if !alike.Result.Applicable || *alike.Result.P < .05 || alike.Runs.Exceedances != 20 || alike.Runs.Runs == 999 {
		t.Errorf("like arms: %+v", alike)
	}
}

// The outcome is the same for every number of jobs.
func TestRerunJobs(t *testing.T) {
	t.Parallel()
	for _, means := range [][]float64{{.5, .5, .5}, {.4, .5, .6}} {
		l := rerunLab(t, 700, means...)
		one := l.again(t, 1, analyze.RerunAsked{})
		for _, jobs := range []int{2, 3} {
			if d := cmp.Diff(one, l.again(t, jobs, analyze.RerunAsked{})); d != "" {
				t.Errorf("%d jobs (-1 +%d):\n%s", jobs, jobs, d)
			}
		}
	}
}

// Another seed makes other runs, and nothing else makes any.
func TestRerunSeed(t *testing.T) {
	t.Parallel()
	l := rerunLab(t, 700, .45, .5, .55)
	at := func(seed int64) *analyze.RerunFound {
		in := l.input(0, 1)
		in.Seed = seed
		out, err := analyze.Rerun(t.Context(), in, analyze.RerunAsked{Tests: 1})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if a, b, again := at(0), at(1), at(0); a.Runs == b.Runs || a.Runs != again.Runs {
		t.Errorf("seeds 0, 1, 0: %+v, %+v, %+v", a.Runs, b.Runs, again.Runs)
	}
}

// Each condition stands against a log that breaks it, and nothing else does.
func TestRerunConditions(t *testing.T) {
	t.Parallel()
	base := rerunLab(t, 400, .4, .5, .6)
	if r := base.again(t, 1, analyze.RerunAsked{}).Result; !r.Applicable {
		t.Fatalf("the base does not apply: %s", r.Reason)
	}
	const chosen = "analysis: {chosen: before}"
	for name, c := range map[string]struct {
		changes changes
		asked   analyze.RerunAsked
		want    string
	}{
		"no policy":       {changes{"policy: {" + rerunUCB + "}\ncounter: {name: exact}\n": ""}, analyze.RerunAsked{}, "A1: no policy is declared that could be run again"},
		"another policy":  {changes{"c: 2": "c: 1"}, analyze.RerunAsked{}, "A1: policy.conformance is VIOLATED"},
		"another law":     {changes{rerunUCB: "name: epsilon-greedy, explore: 0.1"}, analyze.RerunAsked{}, "A1: policy.conformance is VIOLATED"},
		"not replayed":    {changes{"policy: {" + rerunUCB + "}\ncounter: {name: exact}": "policy: {name: epsilon-greedy, explore: 0.1}\ncounter: {name: hybrid, epsilon: 1, horizon: 400}"}, analyze.RerunAsked{}, "A1: policy.conformance is NOT ESTABLISHED"},
		"open choices":    {changes{rerunUCB: rerunUCB + ", ties: any"}, analyze.RerunAsked{}, "A1: which of several arms is played is left open"},
		"stopping":        {changes{", stopping: fixed": ""}, analyze.RerunAsked{}, "A8: the log may end because of its rewards (experiment.stopping: unknown)"},
		"stopped by rule": {changes{"stopping: fixed": "stopping: rule-on-released"}, analyze.RerunAsked{}, "A8: the log may end because of its rewards (experiment.stopping: rule-on-released)"},
		"after rewards":   {changes{"chosen: before": "chosen: after-rewards"}, analyze.RerunAsked{}, "A5: the test was chosen after the rewards were seen"},
		"not chosen":      {changes{chosen: ""}, analyze.RerunAsked{}, "A5: what whoever chose the test had seen is declared nowhere"},
		"two of three":    {changes{}, analyze.RerunAsked{Arms: []int{0, 1}}, "the hypothesis is of two of 3 arms"},
		"draws nothing":   {changes{chosen: "analysis: {chosen: before, rerun: {permute: none}}"}, analyze.RerunAsked{}, "A1: the policy draws nothing, so that every run without a permutation is the log again"},
		"learns seldom":   {changes{rerunUCB: rerunUCB + ", update: {every: 400}"}, analyze.RerunAsked{}, "A1: policy.conformance is VIOLATED"},
		"too many tests":  {changes{chosen: "analysis: {chosen: before, alpha: 0.0000001}"}, analyze.RerunAsked{Tests: 10}, "400 rounds of 3 arms allow 16,666,666 runs of the policy within 2e+10 steps, and 99,999,999 are needed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := base.but(t, c.changes).again(t, 1, c.asked)
			if r := found.Result; r.Applicable || r.P != nil || found.Final || !math.IsNaN(found.LogP) || !strings.HasPrefix(r.Reason, c.want) {
				t.Errorf("%+v, want %q", r, c.want)
			}
		})
	}
	without := *base
	without.replays = nil
	if r := without.again(t, 1, analyze.RerunAsked{}).Result; !strings.HasPrefix(r.Reason, "A1: policy.conformance is NOT RUN") {
		t.Errorf("not run: %s", r.Reason)
	}
	undeclared, m := *base, *base.manifest
	m.Declared = false
	undeclared.manifest = &m
	if r := undeclared.again(t, 1, analyze.RerunAsked{}).Result; !strings.HasPrefix(r.Reason, "A1: arms are those that the log shows, and the policy may have had more") {
		t.Errorf("arms not declared: %s", r.Reason)
	}
}

// Whoever set a column may have read rewards, or what was released of them; which arms
// could be played only where that was not the same in every round.
func TestRerunColumnsSetBy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log, key string
		spec     world.Spec
		want     map[string]string
	}{
		{", eligible: eligible", "eligible_by", world.Spec{Eligible: .7}, map[string]string{
			"": "A1: which arms could be played may depend on rewards", "released": "A1: which arms could be played may depend on rewards and on the arms that were played (log.eligible_by: released)",
			"rewards": "A1: which arms could be played may", "schedule": "",
		}},
		{", reward_order: reward_order", "delay_by", world.Spec{Delay: world.Delay{Mean: 3}}, map[string]string{
			"": "", "released": "A1: when a reward became known may depend", "unknown": "A1: when a reward became known may", "schedule": "",
		}},
		{", batch: batch", "batch_by", world.Spec{Batch: 5}, map[string]string{
			"": "", "released": "A1: where a batch ends may depend", "rewards": "A1: where a batch ends may", "schedule": "",
		}},
	} {
		spec := c.spec
		spec.Means, spec.Rounds = []float64{.4, .5, .6}, 500
		update := ""
		if spec.Batch > 0 {
			update = ", update: batch"
		}
		l := simulated(t, rerunSource(c.log+", "+c.key+": schedule", rerunUCB+update, "name: exact"), 12, &spec)
		for word, want := range c.want {
			said := ", " + c.key + ": " + word
			if word == "" {
				said = ""
			}
			r := l.but(t, changes{", " + c.key + ": schedule": said}).again(t, 1, analyze.RerunAsked{}).Result
			if (want == "") != r.Applicable || !strings.HasPrefix(r.Reason, want) {
				t.Errorf("%s %q: %+v, want %q", c.key, word, r, want)
			}
		}
	}
	rows := make([]logfile.Row, 400) // uniform over the same two of three arms in every round
	spec := movingSpec()
	spec.Eligible, spec.Propensity = logfile.EligibleFlags, true
	draw := rand.New(rand.NewPCG(1, 5))
	for i := range rows {
		rows[i] = logfile.Row{Arm: draw.IntN(2), Reward: float64(draw.IntN(2)), Propensity: .5, Eligible: []bool{true, true, false}}
	}
	l := written(t, t.TempDir(), rerunSource(", propensity: propensity, eligible: eligible", "name: uniform", "name: exact"), spec, rows)
	if r := l.again(t, 1, analyze.RerunAsked{}).Result; !r.Applicable {
		t.Errorf("the same arms in every round: %s", r.Reason)
	}
}
