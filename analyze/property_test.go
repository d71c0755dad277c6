package analyze_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest"
	"banditaudit/schemas"
)

// TestProperties analyses small random logs under random protocols. What must
// hold of every result is in invariants: the schema, evidence that leads
// somewhere, corrected p ≥ naive p, adjusted p ≥ p, log2_p = log2 p, corrected
// intervals around raw ones, no number where a method is not applicable.
func TestProperties(t *testing.T) {
	dir, n := t.TempDir(), 0
	applicable, rejected, not := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		labels := []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(r, "arms")]
		reward := rapid.SampledFrom([]string{ingest.RewardBool, ingest.RewardFloat}).Draw(r, "reward")
		rows := make([]ingest.LogRow, rapid.IntRange(1, 60).Draw(r, "rows"))
		for i := range rows {
			rows[i] = ingest.LogRow{Arm: rapid.IntRange(0, len(labels)-1).Draw(r, "arm"), Propensity: 1 / float64(len(labels))}
			rows[i].Reward = float64(rapid.IntRange(0, 1).Draw(r, "y"))
			if reward == ingest.RewardFloat {
				rows[i].Reward = rapid.Float64Range(0, 1).Draw(r, "y")
			}
		}
		n++
		log := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(log, 0o755); err != nil {
			t.Fatal(err)
		}
		source := protocol(r, labels)
		l := written(t, log, source, &ingest.LogSpec{Labels: labels, Reward: reward, Propensity: true}, rows)
		for _, test := range l.analyse(t, rapid.IntRange(1, 3).Draw(r, "jobs")).Experiments[0].Tests {
			switch {
			case !method(t, &test, schemas.MethodCorrected).Applicable:
				not++
			case test.Decision == "rejected":
				rejected++
			default:
				applicable++
			}
		}
		if t.Failed() {
			r.Fatalf("%s", source)
		}
	})
	if applicable == 0 || rejected == 0 || not == 0 {
		t.Errorf("%d tests not rejected, %d rejected, %d not applicable; want some of each", applicable, rejected, not)
	}
}

// protocol draws a protocol.
func protocol(r *rapid.T, labels []string) string {
	var b strings.Builder
	pick := func(what string, words ...string) string { return rapid.SampledFrom(words).Draw(r, what) }
	fmt.Fprintf(&b, "version: 1\nexperiment: {id: x%s}\n", pick("stopping", ", stopping: fixed", ", stopping: fixed", ""))
	b.WriteString("log: {order: [round], action: action, reward: reward, propensity: propensity}\n")
	fmt.Fprintf(&b, "arms: [%s]\nreward: {range: [0, 1]}\n", strings.Join(labels, ", "))
	epsilon := pick("epsilon", "0.01", "0.1", "1/3", "1", "20")
	b.WriteString(pick("mechanism", "", "policy: {name: uniform}\n",
		"policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\n",
		"policy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: "+epsilon+"}\nprivacy: {epsilon: "+epsilon+"}\n",
		"policy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: "+epsilon+"}\nprivacy: {epsilon: 0.2}\n"))
	fmt.Fprintf(&b, "analysis:\n  chosen: %s\n  alpha: %s\n  multiplicity: %s\n  tests:\n",
		pick("chosen", "before", "from-actions", "after-rewards"), pick("alpha", "0.05", "0.3", "1e-9"), pick("multiplicity", "none", "bonferroni", "holm", "by"))
	for i := range rapid.IntRange(1, 3).Draw(r, "tests") {
		fmt.Fprintf(&b, "    - {id: H%d, arm: %s, mean: %s%s, alternative: %s}\n", i,
			pick("arm", "most-pulled", "least-pulled", "each", "a"), pick("mean", "0", "0.1", "0.5", "0.9", "1"),
			pick("test", "", ", test: exact", ", test: t", ", test: z, sigma: 0.5"), pick("alternative", "two-sided", "greater", "less"))
	}
	b.WriteString("claims:\n  - {id: B, kind: bias.bound, comparator: \"<=\", threshold: 0.05, severity: advisory}\n  - {id: C, kind: hypothesis, test: H0, finding: rejected}\n")
	return b.String()
}
