package protocolinit

import (
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest/guess"
)

// The names of columns tell the platform, and its lines are comments that can be written
// out; names that many logs have tell none.
func TestPlatforms(t *testing.T) {
	t.Parallel()
	for columns, want := range map[string][]string{
		"ts arm clicked variationWeights banditVersion":          {"GrowthBook? It names columns so (variationWeights, banditVersion)", "propensity_by_arm: variationWeights", "batch: banditVersion", "like: growthbook/bandit"},
		"_label_Action _label_cost _label_probability pdrop a p": {"Vowpal Wabbit or Personalizer", `action: "_label_Action"`, `reward: "_label_cost"`, "keep_prob: {column: KEPT}", "propensity_resolution: 1e-6"},
		"subject action actionProbability optimality_gap":        {"Eppo", "propensity: actionProbability", "unit: subject", "floor: {kind: rest"},
		"timestamp item_id position click propensity_score":      {"the Open Bandit Dataset", "action: item_id", "like: obp/bernoulli-ts", "experiment: {column: position}"},
		"userID experimentName group ruleID":                     {"Statsig", "action: group", "draw: {by: unit}"},
		"user_id flag_key variant":                               {"Amplitude", "action: variant", "unit: user_id"},
		"ts arm reward propensity user_id group position":        nil,
	} {
		d := &guess.Draft{Files: 1, Rows: 2, Sampled: 2, Complete: true, Order: []string{"ts"}}
		for name := range strings.FieldsSeq(columns) {
			d.Columns = append(d.Columns, col(name, ""))
		}
		text := starterOf(t, d, "log")
		if want == nil && strings.Contains(text, "written by") {
			t.Errorf("%s: %s", columns, text)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", columns, w, text)
			}
		}
	}
}

// Every policy that a platform's lines name can be declared.
func TestPlatformLines(t *testing.T) {
	t.Parallel()
	const head = "version: 1\nexperiment: {id: x}\nlog: {order: t, action: a, reward: r, batch: b, propensity: p, propensity_draws: unknown, unit: COLUMN}\narms: [a, b, c]\nreward: {range: [0, 1]}\n"
	for _, p := range platforms() {
		for _, line := range p.lines {
			keys, _, _ := strings.Cut(line, "   # ")
			if strings.HasPrefix(keys, "log:") || strings.Contains(keys, "exec") {
				continue
			}
			keys = strings.NewReplacer("EPSILON/K", "0.05", "FLOOR/K", "0.05", "ROUNDS", "100").Replace(keys)
			if !strings.Contains(keys, "like") && !strings.Contains(keys, "name") {
				keys = strings.Replace(keys, "{", "{name: softmax, eta: 1, update: batch, ", 1)
			}
			if strings.Contains(keys, "every") {
				keys = strings.Replace(keys, "update: {every: 100}", "update: batch", 1)
			}
			if _, err := analyze.Standard().Format().ParseProtocol("p.yaml", []byte(head+keys+"\ncounter: {name: exact}\n")); err != nil && !strings.Contains(keys, "uniform") {
				t.Errorf("%s: %v", keys, err)
			}
		}
	}
}
