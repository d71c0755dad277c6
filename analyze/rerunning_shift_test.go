package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// shiftLab is a log of two arms of which a pays what b would have paid, uniform between .2
// and 1.2 in a range from -1 to 2, and delta more. what changes its protocol.
func shiftLab(t *testing.T, policy string, rounds int, delta float64, what changes) *lab {
	t.Helper()
	source := strings.NewReplacer("[a, b, c]", "[a, b]", "range: [0, 1]", "range: [-1, 2]", "{chosen: before}", "{chosen: before, rerun: {draws: 99, exceedances: 5}}").Replace(rerunSource("", policy, "name: exact"))
	for old, with := range what {
		source = strings.ReplaceAll(source, old, with)
	}
	draw := rand.New(rand.NewPCG(3, 14))
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat}, rerunRows(t, source, rounds, nil, func(_ int, row *logfile.Row) {
		row.Reward = .2 + draw.Float64()
		if row.Arm == 0 {
			row.Reward += delta
		}
	}))
}

func shiftAsked(value float64) analyze.RerunAsked {
	return analyze.RerunAsked{Arms: []int{0, 1}, Difference: true, Value: value}
}

// At the value 0 the rewards less the shift are the rewards, and p is that of the test that
// the arms pay alike, run by run.
func TestShiftOfNothing(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{rerunUCB, "name: epsilon-greedy, explore: 0.2" + rerunSeeded, "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}" + rerunSeeded} {
		l := shiftLab(t, policy, 80, .05, changes{"chosen: before": "chosen: before, carryover: none"})
		alike, shift := l.again(t, 2, analyze.RerunAsked{Arms: []int{0, 1}}), l.again(t, 2, shiftAsked(0))
		if d := cmp.Diff(alike.Runs, shift.Runs); d != "" || !shift.Result.Applicable {
			t.Errorf("%s: (-alike +shift) %s %s", policy, d, shift.Result.Reason)
		}
	}
}

// The interval holds the shift, and the value exactly where that is not rejected; the
// hypothesis, the grid and its step are said, and the second arm's interval is the first's
// turned. Nothing depends on the number of jobs.
func TestShiftAnswers(t *testing.T) {
	t.Parallel()
	l := shiftLab(t, rerunUCB, 160, .3, nil)
	found := l.again(t, 1, shiftAsked(.287))
	r := found.Result
	if !r.Applicable || *r.P <= .05 || r.CI == nil || r.CI[0] > .287 || r.CI[1] < .3 || r.CI[0] < 0 || r.CI[1] > .6 {
		t.Fatalf("%+v %v", r, r.CI)
	}
	for _, want := range []string{"the hypothesis is that arm a pays, in every round, what arm b would have paid and 0.287 more", "the grid of 201 shifts from -3 to 3, in steps of 0.03", "not rejected at alpha 0.05"} {
		if !strings.Contains(r.Reason, want) {
			t.Errorf("%q does not say %q", r.Reason, want)
		}
	}
	if d := cmp.Diff(found, l.again(t, 3, shiftAsked(.287))); d != "" {
		t.Errorf("3 jobs (-1 +3): %s", d)
	}
	for _, value := range []float64{-.1, 0, .9} {
		if r := l.again(t, 2, shiftAsked(value)).Result; *r.P > .05 || r.CI[0] <= value && value <= r.CI[1] {
			t.Errorf("%g: p %g, interval %v", value, *r.P, *r.CI)
		}
	}
	more, less := shiftAsked(0), shiftAsked(0)
	more.Alt, less.Alt = hypothesis.Greater, hypothesis.Less
	if r := l.again(t, 2, more).Result; *r.P > .05 || r.CI[1] != 3 || r.CI[0] < 0 || r.CI[0] > .3 {
		t.Errorf("more: p %g, %v", *r.P, *r.CI)
	}
	if r := l.again(t, 2, less).Result; *r.P < .5 || r.CI[0] != -3 || r.CI[1] < .3 || r.CI[1] > .6 {
		t.Errorf("less: p %g, %v", *r.P, *r.CI)
	}
	turned := shiftAsked(-.287)
	turned.Arms = []int{1, 0}
	if r := l.again(t, 2, turned).Result; *r.P <= .05 || r.CI[0] > -.3 || r.CI[1] < -.287 {
		t.Errorf("b less a: p %g, %v", *r.P, *r.CI)
	}
}

// Of 16 logs with a shift that is one of the grid's, its interval at .05 misses it in more
// than 5 with probability 10⁻⁴; one log without a permutation, where the policy draws.
func TestShiftIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out intervals by re-runs; the full run has them")
	}
	t.Parallel()
	missed := 0
	for i := range 16 {
		l := shiftLab(t, rerunUCB, 40+i, .15, nil)
		if r := l.again(t, 2, shiftAsked(0)).Result; r.CI == nil || r.CI[0] > .15 || r.CI[1] < .15 {
			missed++
		}
	}
	if missed > 5 {
		t.Errorf("%d of 16 intervals miss", missed)
	}
	drawn := shiftLab(t, "name: epsilon-greedy, explore: 0.5"+rerunSeeded, 100, .3, changes{"draws: 99": "permute: none, draws: 99"})
	if r := drawn.again(t, 2, shiftAsked(.3)).Result; !r.Applicable || *r.P <= .01 || r.CI[0] > .3 || r.CI[1] < .3 || !strings.Contains(r.Correction, "no record changes places") {
		t.Errorf("without a permutation: %+v", r)
	}
}

// What a shift cannot be run on says so.
func TestShiftRefused(t *testing.T) {
	t.Parallel()
	const unbounded = "A1: a shift makes up rewards outside reward.range"
	asked := shiftAsked(.1)
	for name, c := range map[string]struct {
		l    *lab
		want string
	}{
		"Beta":    {shiftLab(t, "name: thompson, prior: {alpha: 1, beta: 1}"+rerunSeeded, 100, 0, nil), unbounded},
		"noise":   {shiftLab(t, rerunUCB+rerunSeeded, 100, 0, changes{"counter: {name: exact}": "counter: {name: hybrid, epsilon: 1, horizon: 100}"}), unbounded},
		"clipped": {shiftLab(t, rerunUCB, 100, 0, changes{"range: [-1, 2]": "range: [0, 1], out_of_range: clip"}), "rewards were outside reward.range and clipped"},
	} {
		if r := c.l.again(t, 1, asked).Result; r.Applicable || r.CI != nil || !strings.Contains(r.Reason, c.want) {
			t.Errorf("%s: %+v, want %q", name, r, c.want)
		}
	}
	if r := rerunLab(t, 100, .5, .5, .5).again(t, 1, asked).Result; r.Applicable || !strings.HasPrefix(r.Reason, "the hypothesis is of two of 3 arms") {
		t.Errorf("three arms: %+v", r)
	}
	dear := shiftLab(t, rerunUCB, 100, 0, changes{"draws: 99, exceedances: 5": "draws: 600000, exceedances: 6", "chosen: before": "chosen: before, alpha: 0.00001"})
	if r := dear.again(t, 1, asked).Result; !r.Applicable || r.CI != nil || !strings.Contains(r.Reason, "no interval: 100 rounds of 201 shifts, with up to 600,000 runs each, would take more than 2e+10 steps") {
		t.Errorf("more than the budget: %+v", r)
	}
}

// By auto a difference of real rewards is not run again; by name it is, and the answer says
// what it rests on.
func TestShiftDecides(t *testing.T) {
	t.Parallel()
	l := shiftLab(t, rerunUCB, 200, .4, changes{"exceedances: 5}": "exceedances: 5}, tests: [{id: D, difference: [a, b], value: 0, decide: rerun}, {id: E, difference: [a, b], value: 0.25}]"})
	out, err := analyze.Run(t.Context(), l.input(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	byName, byAuto := out.Experiment.Tests[0], out.Experiment.Tests[1]
	if byName.DecidedBy != schemas.MethodRerun || byName.Decision != schemas.DecisionRejected || byName.ValidIf() != schemas.ValidIfNoCarryover+"; "+schemas.ValidIfOrdered+"; "+schemas.ValidIfExchangeable+" (rewards within blocks of 10 rounds); "+schemas.ValidIfShift {
		t.Errorf("by name: %+v", byName)
	}
	for i := range byAuto.Results {
		if byAuto.Results[i].Method == schemas.MethodRerun {
			t.Errorf("by auto: %+v", byAuto.Results[i])
		}
	}
}
