package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// ofLengths is a log of experiments under one horizon.
const ofLengths = `version: 1
experiment: {column: experiment, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
counter: {name: binary, epsilon: 1, horizon: 600}
`

// lengthsRows are rows of experiments of the given lengths, of arms that pay 1 with
// probability p. Where turns holds the arms are played in turn.
func lengthsRows(r *rand.Rand, lengths []int, p float64, turns bool) []logfile.Row {
	var rows []logfile.Row
	for e, n := range lengths {
		for i := range n {
			row := logfile.Row{Experiment: int64(e), Round: int64(i + 1), Arm: r.IntN(2)}
			if turns {
				row.Arm = i % 2
			}
			if r.Float64() < p {
				row.Reward = 1
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func lengthsLab(t *testing.T, source string, rows []logfile.Row) *schemas.Results {
	t.Helper()
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true}, rows).analyse(t, 1)
}

// TestLengthsThatLookStopped: experiments of 50 to 600 rounds under one horizon of
// 600 and stopping: fixed are noted, and no claim is touched by it. Before, nothing
// was said.
func TestLengthsThatLookStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	stopped := []int{600, 600}
	for range 8 {
		stopped = append(stopped, 50+r.IntN(550))
	}
	whole := []int{600, 600, 600, 600, 50, 70, 90}
	for _, c := range []struct {
		name, before, after string
		lengths             []int
		noted               bool
	}{
		{"stopped", "", "", stopped, true},
		{"half of them whole", "", "", []int{600, 50}, true},
		{"most of them whole", "", "", whole, false},
		{"of one length", "", "", []int{300, 300, 300}, false},
		{"one alone", "", "", []int{300}, false},
		{"longer than the horizon", "horizon: 600", "horizon: 500", stopped, false},
		{"stopped by a rule", "stopping: fixed", "stopping: rule-on-released", stopped, false},
		{"no horizon", "binary, epsilon: 1, horizon: 600", "hybrid, epsilon: 1", stopped, false},
	} {
		source := ofLengths
		if c.before != "" {
			source = strings.Replace(ofLengths, c.before, c.after, 1)
		}
		got := lengthsLab(t, source, lengthsRows(r, c.lengths, .5, false))
		if c.noted != (len(got.Notes) == 1) || !c.noted && len(got.Notes) > 0 {
			t.Errorf("%s: %q", c.name, got.Notes)
		}
		if c.noted && !strings.Contains(got.Notes[0], "under one horizon of 600 (counter.horizon)") {
			t.Errorf("%s: %q", c.name, got.Notes)
		}
		for _, f := range got.Claims {
			if f.Verdict == schemas.Violated && c.name == "stopped" {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
	}
}

// TestCopiedExperiments: an experiment whose rows stand under another id too is
// noted, wherever the two lie in the tableau; before, nothing was said, and a
// policy without a seed was held to have been run twice. Of 300 honest
// experiments, and of arms played in turn that hardly pay, none is: rows count as
// known again only where rewards vary so much that any two of the log agree with
// probability e^−20.
func TestCopiedExperiments(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out many experiments; the full run has it")
	}
	r := rand.New(rand.NewPCG(33, 34))
	rows := lengthsRows(r, []int{100, 250, 100, 250, 100}, .5, false)
	var all []logfile.Row
	for _, row := range rows {
		if row.Experiment != 3 {
			all = append(all, row)
		}
	}
	for _, row := range rows {
		if row.Experiment == 1 {
			row.Experiment = 7
			all = append(all, row)
		}
	}
	got := lengthsLab(t, strings.Replace(ofLengths, "counter: {name: binary, epsilon: 1, horizon: 600}\n", "", 1), all)
	if len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "experiments 1 and 7 hold the same actions with the same rewards in the same order (250 rounds of each)") {
		t.Errorf("%q", got.Notes)
	}
	all[len(all)-1].Reward = 1 - all[len(all)-1].Reward
	if got := lengthsLab(t, ofLengths, all); len(got.Notes) != 1 || strings.Contains(got.Notes[0], "hold the same") { // of lengths
		t.Errorf("another reward: %q", got.Notes)
	}
	same := make([]int, 300)
	for i := range same {
		same[i] = 60
	}
	for _, p := range []float64{.5, .01} {
		if got := lengthsLab(t, ofLengths, lengthsRows(r, same, p, true)); len(got.Notes) > 0 {
			t.Errorf("p = %g: %q", p, got.Notes)
		}
	}
}
