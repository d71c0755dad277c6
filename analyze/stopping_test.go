package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// stoppable is a log of experiments that a rule on released values stopped.
const stoppable = `version: 1
experiment: {column: experiment, stopping: rule-on-released}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
counter: {name: laplace, epsilon: 60}
privacy: {definition: pure, epsilon: 60}
analysis:
  decide: corrected
  sequence: normal
  chosen: before
  tests:
    - {id: H, arm: a, mean: 0.5, alternative: greater}
claims:
  - {id: B, kind: bias.bound, comparator: "<=", threshold: 0.005, arms: all}
`

// stoppedLab plays experiments under the null, both arms paying 1 with
// probability 1/2 and played alike, and ends each after most rounds, or when the
// released sum of a is 1.8 standard deviations and 0.3 above its expectation.
func stoppedLab(t *testing.T, source string, experiments, most int, epsilon float64) *lab {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	var rows []logfile.Row
	for e := range experiments {
		n, released := 0.0, 0.0
		for i := range most {
			row := logfile.Row{Experiment: int64(e), Round: int64(i + 1), Arm: r.IntN(2), Reward: float64(r.IntN(2))}
			rows = append(rows, row)
			if row.Arm == 0 {
				n++
				released += row.Reward + (r.ExpFloat64()-r.ExpFloat64())/epsilon
			}
			if n >= 5 && released-n/2 > 0.3+float64(1.8*math.Sqrt(n/4)) {
				break
			}
		}
	}
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true}, rows)
}

// TestStoppedLevel: the corrected test holds its level where a rule on released
// values stopped the experiment, whatever the policy reads, and the raw test
// does not where the noise is small. Of 200 experiments with a true null more than
// 27 are rejected with probability below 1e-6 at a rate of 0.05; the seed is fixed.
func TestStoppedLevel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out 600 experiments of 200 rounds; the full run has them")
	}
	for _, c := range []struct {
		name, policy, counter string
		epsilon               float64
		inflated              bool
	}{
		{"uniform, little noise", "{name: uniform}", "{name: laplace, epsilon: 60}", 60, true},
		{"uniform, much noise", "{name: uniform}", "{name: laplace, epsilon: 0.05}", 0.05, false},
		{"learns too late", "{name: ucb, width: {delta: 0.05}, update: {every: 2000}}", "{name: laplace, epsilon: 60}", 60, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source := strings.Replace(strings.Replace(stoppable, "{name: uniform}", c.policy, 1), "{name: laplace, epsilon: 60}", c.counter, 1)
			r := stoppedLab(t, source, 200, 200, c.epsilon).analyse(t, 2)
			naive, corrected, below := 0, 0, 0
			for e := range r.Experiments {
				test := &r.Experiments[e].Tests[0]
				p := method(t, test, schemas.MethodCorrected)
				if !p.Applicable {
					t.Fatal(p.Reason)
				}
				if *p.P <= 0.05 {
					corrected++
				}
				if *p.P < 1 {
					below++
				}
				if *method(t, test, schemas.MethodNaive).P <= 0.05 {
					naive++
				}
			}
			if corrected > 27 || c.inflated && naive <= 27 {
				t.Errorf("of 200 true nulls %d are rejected raw, %d corrected", naive, corrected)
			}
			if !c.inflated && below == 0 {
				t.Error("every corrected p is 1; nothing is shown")
			}
		})
	}
}

// TestStoppedOnSums: released values that are the sums as they are, or that
// nobody declares, leave no corrected p, no bound on a bias and no total of
// privacy.
func TestStoppedOnSums(t *testing.T) {
	for _, c := range []struct{ name, policy, counter, reason string }{
		{"exact sums", "policy: {name: uniform}", "counter: {name: exact}", "are the sums of rewards as they are"},
		{"exact sums behind draws", "policy: {name: softmax, eta: 0.0001}", "counter: {name: exact}", "are the sums of rewards as they are"},
		{"not declared", "policy: {name: uniform}", "", "what the rule read is not declared"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.Replace(strings.Replace(stoppable, "policy: {name: uniform}", c.policy, 1), "counter: {name: laplace, epsilon: 60}", c.counter, 1)
			r := stoppedLab(t, source, 2, 60, 60).analyse(t, 1)
			e := &r.Experiments[0]
			if p := method(t, &e.Tests[0], schemas.MethodCorrected); p.Applicable || p.P != nil || !strings.Contains(p.Reason, "A8: ") || !strings.Contains(p.Reason, c.reason) {
				t.Errorf("corrected: %+v", p)
			}
			if e.Arms[0].BiasBound != nil || e.Arms[0].CICorrected != nil {
				t.Errorf("bounds of an arm: %+v", e.Arms[0])
			}
			if b := claim(t, r, "B"); b.Verdict != schemas.NotApplicable || !strings.Contains(b.Reason, c.reason) {
				t.Errorf("bias: %s, %s", b.Verdict, b.Reason)
			}
			if f := claim(t, r, schemas.KindPrivacyTotal); f.Verdict != schemas.NotEstablished || !strings.Contains(f.Reason, "stop") {
				t.Errorf("privacy: %s, %s", f.Verdict, f.Reason)
			}
			if a8 := r.Assumptions[7]; a8.Status != "failed" {
				t.Errorf("A8: %s", a8.Status)
			}
		})
	}
}
