package schemas

import (
	"strings"
	"testing"
)

const digestSource = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [t], action: a, reward: y}
arms: [x, z]
reward: {range: [0, 1]}
policy: {name: ucb, width: {delta: 0.05}, bonus: quantile, update: {every: 1}}
counter: {name: hybrid, epsilon: 0.5, horizon: 100}
privacy: {epsilon: 0.5}
analysis: {alpha: 0.05}
`

// TestDigests: what a stage depends on changes its digest, and nothing else
// does.
func TestDigests(t *testing.T) {
	parse := func(from, to string) *Protocol {
		d, err := standard().ParseProtocol("p.yaml", []byte(strings.Replace(digestSource, from, to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return &d.Protocol
	}
	base := parse("", "")
	logged := parse("reward: y", "reward: y, propensity: w")
	resolved := parse("reward: y", "reward: y, propensity: w, propensity_resolution: 1e-5")
	if logged.LogDigest() != resolved.LogDigest() || logged.MechanismDigest() == resolved.MechanismDigest() {
		t.Error("the resolution of propensities belongs to the replay, and not to the tableau")
	}
	hashed := func(draw string) *Protocol {
		return parse("policy: {", "policy: {draw: {hash: growthbook-v1, unit: u, "+draw+"}, ")
	}
	for draw, same := range map[string]bool{"seed: s": true, "seed: s, coverage: 0.5": true, "seed: r": false, "seed: ''": false} {
		if got := hashed("seed: s").LogDigest() == hashed(draw).LogDigest(); got != same {
			t.Errorf("%s: the digest of the log is the same: %v", draw, got)
		}
	}
	if a, b := hashed("seed: s"), hashed("seed: s, coverage: 0.5"); a.MechanismDigest() == b.MechanismDigest() || a.LogDigest() == parse("reward: y", "reward: y, unit: u").LogDigest() {
		t.Error("the hash belongs to the tableau, and its coverage to what is held against it")
	}
	for _, c := range []struct {
		from, to       string
		log, mechanism bool // differs
	}{
		{"alpha: 0.05", "alpha: 0.01", false, false},
		{"stopping: fixed", "stopping: unknown", false, false},
		{"epsilon: 0.5, horizon", "epsilon: 0.25, horizon", false, true},
		{"privacy: {epsilon: 0.5}", "privacy: {epsilon: 0.25}", false, true},
		{"delta: 0.05", "delta: 0.1", false, true},
		{"arms: [x, z]", "arms: [z, x]", true, true},
		{"range: [0, 1]", "range: [0, 2]", true, true},
		{"order: [t]", "order: [u]", true, true},
		{"reward: y", "reward: w", true, true},
		{"id: e", "id: f", true, true},
		{"reward: y", "reward: y, ties: file-order", true, true},
		{"reward: y", "reward: y, missing_reward: exclude", true, true},
		{"reward: y", "reward: y, reward_order: w", true, true},
		{"reward: y", "reward: y, propensity: w", true, true},
		{"reward: y", "reward: y, propensity_by_arm: w", true, true},
		{"reward: y", "reward: y, context: [w]", true, true},
		{"reward: y", "reward: y, context: {list: w}", true, true},
		{"reward: y", "reward: y, context_by_arm: w", true, true},
		{"reward: y", "reward_by_arm: y", true, true},
		{"reward: y", "reward: y, released_by_arm: w", true, true},
		{"reward: y", "reward: y, eligible: w", true, true},
		{"reward: y", "reward: y, batch: w", true, true},
		{"reward: y", "reward: y, unit: w", true, true},
		{"range: [0, 1]", "range: [0, 1], out_of_range: clip", true, true},
	} {
		p := parse(c.from, c.to)
		if got := p.LogDigest() != base.LogDigest(); got != c.log {
			t.Errorf("%s → %s: log digest differs: %v", c.from, c.to, got)
		}
		if got := p.MechanismDigest() != base.MechanismDigest(); got != c.mechanism {
			t.Errorf("%s → %s: mechanism digest differs: %v", c.from, c.to, got)
		}
	}
}
