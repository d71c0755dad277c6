package analyze_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestProperties analyses small random logs under random protocols. What must
// hold of every result is in invariants: the schema, evidence that leads
// somewhere, corrected p ≥ naive p, adjusted p ≥ p, log2_p = log2 p, corrected
// intervals around raw ones, no number where a method is not applicable.
func TestProperties(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		labels := []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(r, "arms")]
		reward := rapid.SampledFrom([]string{logfile.RewardBool, logfile.RewardFloat}).Draw(r, "reward")
		rows := make([]logfile.Row, rapid.IntRange(1, 60).Draw(r, "rows"))
		for i := range rows {
			rows[i] = logfile.Row{Arm: rapid.IntRange(0, len(labels)-1).Draw(r, "arm"), Propensity: 1 / float64(len(labels))}
			rows[i].X, rows[i].Batch = []float64{float64(rapid.IntRange(-2, 2).Draw(r, "x"))}, int64(i/7)
			rows[i].Unit = strconv.Itoa(rapid.IntRange(0, len(rows)/2).Draw(r, "unit"))
			rows[i].Reward = float64(rapid.IntRange(0, 1).Draw(r, "y"))
			if reward == logfile.RewardFloat {
				rows[i].Reward = rapid.Float64Range(0, 1).Draw(r, "y")
			}
		}
		n++
		log := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(log, 0o755); err != nil {
			t.Fatal(err)
		}
		source := protocol(r, labels)
		l := written(t, log, source, &logfile.Layout{Labels: labels, Reward: reward, Propensity: true, ContextDim: 1, Batch: true, Unit: true}, rows)
		l.analyse(t, rapid.IntRange(1, 3).Draw(r, "jobs"))
		if t.Failed() {
			r.Fatalf("%s", source)
		}
	})
}

// TestInvariantsOfEveryDecision: the invariants hold of a test that is
// rejected, of one that is not, and of one whose correction is not applicable.
// Random protocols reach all three, but not in every run.
func TestInvariantsOfEveryDecision(t *testing.T) {
	rows := make([]logfile.Row, 60)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, Reward: 1}
	}
	for _, c := range []struct {
		decision, mean, chosen string
		applicable             bool
	}{
		{"rejected", "0.1", "before", true},
		{"not rejected", "0.99", "before", true},
		{"not applicable", "0.1", "after-rewards", false},
	} {
		source := "version: 1\nexperiment: {id: x, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\n" +
			"arms: [a, b]\nreward: {range: [0, 1]}\npolicy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: 0.01}\n" +
			"analysis: {decide: corrected, sequence: normal, chosen: " + c.chosen + ", tests: [{id: H1, arm: a, mean: " + c.mean + "}]}\n"
		l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}, rows)
		test := l.analyse(t, 1).Experiments[0].Tests[0]
		if got := method(t, &test, schemas.MethodCorrected).Applicable; got != c.applicable || test.Decision != c.decision {
			t.Errorf("mean %s, chosen %s: decision %q, applicable %v; want %q, %v", c.mean, c.chosen, test.Decision, got, c.decision, c.applicable)
		}
	}
}

// protocol draws a protocol.
func protocol(r *rapid.T, labels []string) string {
	var b strings.Builder
	pick := func(what string, words ...string) string { return rapid.SampledFrom(words).Draw(r, what) }
	fmt.Fprintf(&b, "version: 1\nexperiment: {id: x%s}\n", pick("stopping", ", stopping: fixed", ", stopping: fixed", ""))
	unit := pick("unit", "", ", unit: unit")
	fmt.Fprintf(&b, "log: {order: [round], action: action, reward: reward, propensity: propensity, context: [x0], batch: batch%s}\n", unit)
	fmt.Fprintf(&b, "arms: [%s]\nreward: {range: [0, 1]}\n", strings.Join(labels, ", "))
	epsilon := pick("epsilon", "0.01", "0.1", "1/3", "1", "20")
	b.WriteString(pick("mechanism", "", "policy: {name: uniform}\n",
		"policy: {name: ucb, width: {c: 2}, update: {every: 1}}\ncounter: {name: exact}\n",
		"policy: {name: ucb, width: {c: 2}, update: {every: 1}}\ncounter: {name: hybrid, epsilon: "+epsilon+"}\nprivacy: {epsilon: "+epsilon+"}\n",
		"policy: {name: ucb, width: {c: 2}, update: {every: 1}}\ncounter: {name: hybrid, epsilon: "+epsilon+"}\nprivacy: {epsilon: 0.2}\n"))
	adjustment := pick("multiplicity", "none", "bonferroni", "holm", "by", "bh")
	method := "conditional"
	if adjustment != "bh" {
		method = pick("method", "conditional", "conditional", "conditional", "theorem20", "theorem20, beta: 0.001", "conditional", "conditional", "conditional", "conditional", "conditional", "conditional", "conditional", "recursion", "best")
	}
	fmt.Fprintf(&b, "analysis:\n  decide: corrected\n  sequence: normal\n  approximate: accept\n  means: constant\n  chosen: %s\n  alpha: %s\n  multiplicity: %s\n  correction: {method: %s, also: [zcdp]}\n",
		pick("chosen", "before", "from-actions", "after-rewards"), pick("alpha", "0.05", "0.3", "1e-9"), adjustment, method)
	covariance := pick("covariance", "HC3", "classical", "{cluster: batch}")
	if unit != "" {
		covariance = "{cluster: unit}"
	}
	fmt.Fprintf(&b, "  regressions: [{name: own, covariance: %s}, {name: all, arms: pooled, covariance: HC1}]\n  tests:\n", covariance)
	if len(labels) > 1 {
		fmt.Fprintf(&b, "    - {id: D, difference: [b, a], value: %s%s, alternative: %s}\n", pick("value", "0", "0.3", "-1"),
			pick("test", "", ", test: t", ", test: z, sigma: 0.5", ", test: hoeffding", ", test: bernstein", ", test: bets"), pick("alternative", "two-sided", "greater", "less"))
	}
	fmt.Fprintf(&b, "    - {id: K, regression: own, arm: %s, coefficient: x0, value: 0.1}\n", pick("arm", "most-pulled", "least-pulled", "each", "a"))
	b.WriteString("    - {id: J, regression: all, joint: {x0: 0}}\n")
	for i := range rapid.IntRange(1, 3).Draw(r, "tests") {
		fmt.Fprintf(&b, "    - {id: H%d, arm: %s, mean: %s%s, alternative: %s}\n", i,
			pick("arm", "most-pulled", "least-pulled", "each", "a"), pick("mean", "0", "0.1", "0.5", "0.9", "1"),
			pick("test", "", ", test: exact", ", test: t", ", test: z, sigma: 0.5", ", test: hoeffding", ", test: bernstein", ", test: bets"), pick("alternative", "two-sided", "greater", "less"))
	}
	b.WriteString("claims:\n  - {id: B, kind: bias.bound, comparator: \"<=\", threshold: 0.05, severity: advisory}\n  - {id: C, kind: hypothesis, test: H0, finding: rejected}\n")
	return b.String()
}
