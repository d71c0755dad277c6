package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// scoped is a log of n rounds in which a uniform coin picked one of two arms,
// whatever is declared of it.
type scoped struct {
	policy, counter, privacy string
	rounds                   int
	arm                      bool // one arm alone was played
	undeclared               bool // arms are
	log                      string
	experiments              int64 // the rounds are shared out to them; 0: there is no such column
}

func (c *scoped) finding(t *testing.T) *schemas.Finding {
	t.Helper()
	source := "version: 1\nexperiment: {id: scope, stopping: fixed}\nlog: {order: [round], action: action, reward: reward" + c.log + "}\narms: [a, b]\nreward: {range: [0, 1]}\n" +
		"policy: " + c.policy + "\ncounter: " + c.counter + "\nprivacy: " + c.privacy + "\n"
	spec := &logfile.Layout{
		Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, Experiments: c.experiments > 0,
		Unit: strings.Contains(c.log, "unit"), Batch: strings.Contains(c.log, "batch"),
	}
	if strings.Contains(c.log, "released") {
		spec.ReleasedByArm = 1
		source = strings.Replace(source, "}\ncounter", ", seed: {file: seed.hex}}\ncounter", 1)
	}
	if c.undeclared {
		source = strings.Replace(source, "arms: [a, b]\n", "", 1)
	}
	if c.experiments > 0 {
		source = strings.Replace(source, "id: scope", "column: experiment", 1)
	}
	rows := rolesRows(8, c.rounds)
	for i := range rows {
		r := &rows[i]
		r.Arm, r.X, r.PropensityByArm, r.Batch = r.Arm%2, nil, nil, int64(i/30)
		if c.arm {
			r.Arm = 0
		}
		if c.experiments > 0 {
			r.Experiment = int64(i) % c.experiments
		}
		if spec.ReleasedByArm > 0 {
			r.ReleasedByArm = []float64{float64(i), 1}
		}
		r.Unit = fmt.Sprint("u", i/2)
	}
	return claim(t, written(t, t.TempDir(), source, spec, rows).analyse(t, 1), total)
}

// TestPrivacyScope goes through claims that the accounting does not reach, or
// reaches as an upper bound only. ln 19 = 2.94443897916644046.
func TestPrivacyScope(t *testing.T) {
	const (
		ucb, soft     = "{name: ucb, width: {c: 2}}", "{name: softmax, eta: 0.1}"
		every, batch  = "{name: softmax, eta: 0.1, update: {every: 50}}", "{name: softmax, eta: 0.1, update: batch}"
		greedy        = "{name: epsilon-greedy, explore: 0.1}"
		thompson      = "{name: thompson, prior: {alpha: 1, beta: 1}}"
		hybrid, exact = "{name: hybrid, epsilon: 0.3}", "{name: exact}"
		released      = ", released_by_arm: released_by_arm"
		unverified    = "whether the log came from it is not verified"
		contradicted  = "the accounting is of what the declared mechanism releases, and it did not write this log (policy.conformance is VIOLATED); of that mechanism: "
	)
	verified, open, violated := schemas.Verified, schemas.NotEstablished, schemas.Violated
	for _, c := range []struct {
		name   string
		log    scoped
		want   schemas.Verdict
		reason string // begins or ends so
	}{
		{"one arm of some", scoped{policy: thompson, counter: exact, privacy: "{epsilon: 0}", rounds: 20, arm: true, undeclared: true}, open, "declare arms"},
		{"one arm alone", scoped{policy: "{name: epsilon-greedy, explore: 1}", counter: exact, privacy: "{epsilon: 0}", rounds: 20, undeclared: true}, verified, unverified},
		{"two arms of some", scoped{policy: greedy, counter: exact, privacy: "{epsilon: 100}", rounds: 20, undeclared: true}, open, "declare arms"},
		{"two arms compared, of some", scoped{policy: ucb, counter: exact, privacy: "{epsilon: 100}", rounds: 20, undeclared: true}, open, "the accounting of the declared mechanism gives ε = ∞, not 100"},
		{"η, arms of some", scoped{policy: soft, counter: exact, privacy: "{epsilon: 1.9}", rounds: 20, undeclared: true}, verified, unverified},
		{"noise, arms of some", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.3}", rounds: 20, undeclared: true}, verified, unverified},

		{"users of one experiment", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.6, unit: user}", rounds: 20, log: ", unit: unit"}, verified, "the bound is her number of rounds times what one loses; " + unverified},
		{"users of two experiments", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.3, unit: user}", rounds: 20, log: ", unit: unit", experiments: 2}, open, "the log has 2 experiments, and the rounds of a user in the others are not counted here; users are numbered within each experiment"},
		{"too much in one of them", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.2, unit: user}", rounds: 20, log: ", unit: unit", experiments: 2}, violated, "a user with 1 round loses at least 0.3 (on the logged actions); the claim is 0.2"},
		{"rounds of two experiments", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.3}", rounds: 20, log: ", unit: unit", experiments: 2}, verified, unverified},

		{"softmax with its sums", scoped{policy: soft, counter: exact, privacy: "{epsilon: 1.9}", rounds: 20, log: released}, open, "ε of actions and sums together is infinite"},
		{"uniform with sums", scoped{policy: "{name: uniform}", counter: exact, privacy: "{epsilon: 0}", rounds: 20, log: released}, open, "ε of actions and sums together is infinite"},
		{"uniform with sums of noise", scoped{policy: "{name: uniform}", counter: hybrid, privacy: "{epsilon: 0}", rounds: 20, log: released}, open, "what the policy does not read is not accounted for"},
		{"ucb with its sums", scoped{policy: ucb, counter: hybrid, privacy: "{epsilon: 0.3}", rounds: 20, log: released}, open, "the released values do not have the noise that is accounted for (privacy.noise)"}, // they have none

		{"draws above the claim", scoped{policy: soft, counter: exact, privacy: "{epsilon: 1.8}", rounds: 20}, open, "the accounting gives ε = 1.9, not 1.8: it bounds what the policy's draws give away, which does not show that they give away as much"},
		{"draws above the claim in ρ", scoped{policy: soft, counter: exact, privacy: "{definition: zcdp, rho: 0.01}", rounds: 20}, open, "which does not show that they give away as much"},
		{"draws without a bound", scoped{policy: thompson, counter: exact, privacy: "{epsilon: 9}", rounds: 20}, open, "no bound is known for what the draws of this policy give away of exact sums"},
		{"no draws, in ρ", scoped{policy: ucb, counter: exact, privacy: "{definition: zcdp, rho: 9}", rounds: 20}, open, "gives ρ = ∞, not 9"},
		{"no draws, at δ", scoped{policy: ucb, counter: exact, privacy: "{definition: approximate, epsilon: 9, delta: 0.1}", rounds: 20}, open, "gives ε = ∞, not 9"},
		{"learns once", scoped{policy: every, counter: exact, privacy: "{epsilon: 5}", rounds: 100}, verified, unverified},
		{"learns after 30 rounds", scoped{policy: batch, counter: exact, privacy: "{epsilon: 7}", rounds: 100, log: ", batch: batch"}, verified, unverified},
		{"a logarithm", scoped{policy: greedy, counter: exact, privacy: "{epsilon: 29.4443897916644047}", rounds: 11}, open, "is the claim within the rounding of the accounting"},
		{"twice the draws", scoped{policy: soft, counter: exact, privacy: "{epsilon: 3.8}", rounds: 20}, verified, unverified},
		{"a single Laplace release at δ", scoped{policy: ucb, counter: "{name: laplace, epsilon: 1}", privacy: "{definition: approximate, epsilon: 0.85, delta: 0.1}", rounds: 2}, open, "it is an upper bound, and does not show that the mechanism loses as much"},
	} {
		f := c.log.finding(t)
		if f.Verdict != c.want || !strings.HasSuffix(f.Reason, c.reason) && !strings.HasPrefix(strings.TrimPrefix(f.Reason, contradicted), c.reason) || c.want == verified && f.Reason != c.reason {
			t.Errorf("%s: %s, observed %q, reason %q\nwant %s, %q", c.name, f.Verdict, f.Observed, f.Reason, c.want, c.reason)
		}
		alone := strings.HasSuffix(f.Statement, ", of the actions alone: released values or propensities that others see void it.")
		if drawn := strings.Contains(f.Procedure, "summed over the decisions"); alone != drawn {
			t.Errorf("%s: %q, procedure %q", c.name, f.Statement, f.Procedure)
		}
		if user := strings.Contains(c.log.privacy, "user"); user != strings.Contains(f.Statement, " per user in this experiment.") {
			t.Errorf("%s: %q", c.name, f.Statement)
		}
	}
}
