package schemas

import (
	"strings"
	"testing"
)

// Each row declares one thing that the format has and this version has not. An
// issue that adds it deletes the row.
func TestWhatThisVersionDoesNotHave(t *testing.T) {
	for _, tc := range []mistake{
		{
			"draws", "  ties: first",
			"  draws: 1000",
			[]string{
				"p.yaml:17:10: policy.draws is declared (this version does not draw propensities by Monte Carlo; it has: closed forms and quadratures for every policy, which need no draws); delete the key",
			},
		},
		{
			"seed column", "  ties: first",
			"  seed: {column: s}",
			[]string{
				"p.yaml:17:18: policy.seed.column is declared (this version does not read a seed from the log; it has: {file: seed.hex}); write the seed to a file and name that",
			},
		},
		{
			"clip_weights", "  control: control",
			"  clip_weights: 100",
			[]string{
				"p.yaml:24:17: analysis.clip_weights is declared (this version does not clip the weights of arms; it has: clip_weights beside an entry of analysis.evaluate, and unclipped inverse-propensity means of arms); move it there, or delete the key",
			},
		},
		{
			"privacy.lower_bound", "kind: privacy.total",
			"kind: privacy.lower_bound",
			[]string{
				`p.yaml:31:20: claims[0].kind is "privacy.lower_bound" (this version does not check that claim; it has: data.quality, allocation.matches_propensity, policy.conformance, privacy.total, privacy.noise, bias.bound, hypothesis, protocol.committed); write one of those`,
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}

// TestLaterKeys: a key that this version does not read yet is named so, and alone.
func TestLaterKeys(t *testing.T) {
	places := map[string]string{"log": "  ties: error", "policy": "  ties: first", "policy.by": "  ties: first"}
	for _, k := range laterKeys() {
		added := places[k.in] + "\n  " + k.key + ": x"
		if k.in == "policy.by" {
			added = places[k.in] + "\n  by: {column: leaf, " + k.key + ": x}"
		}
		m := mistake{name: k.key, old: places[k.in], new: added}
		got := strings.Join(messages(standard().ParseProtocol("p.yaml", m.source(t))), "\n")
		if !strings.Contains(got, "."+k.key+" is declared (this version does not have it yet: "+k.means+"); "+k.mend) || strings.Contains(got, "unknown key") {
			t.Errorf("%s.%s: %s", k.in, k.key, got)
		}
	}
	for _, tc := range []mistake{
		{"a key of another mapping", "  ties: error", "  like: x", []string{
			"p.yaml:5:3: unknown key \"like\" (log has no such key; there are: order, ties, action, reward, reward_order, propensity, propensity_by_arm, propensity_resolution, propensity_draws, drawn, and 17 more); delete the key",
		}},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
	exec := mistake{name: "exec", old: "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first", new: "  exec: [python3, policy.py]\n  gives: probabilities"}
	for _, line := range messages(standard().ParseProtocol("p.yaml", exec.source(t))) {
		if !strings.Contains(line, "does not have it yet") && strings.Contains(line, "policy.name") {
			t.Errorf("a program is asked for a name: %s", line)
		}
	}
}
