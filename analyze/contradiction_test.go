package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const shortHorizon = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}}
counter: {name: binary, epsilon: 0.1, horizon: 4}
privacy: {epsilon: 0.1}
analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: H1, arm: each, mean: 0.5, test: exact}]}
claims:
  - {id: B1, kind: bias.bound, comparator: "<=", threshold: 0.5, arms: all}
  - {id: C1, kind: hypothesis, test: H1, finding: rejected}
`

const longContexts = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: lints, lambda: 1, noise_sd: 0.5, context_l1: 1}
counter: {name: laplace, epsilon: 0.1}
privacy: {epsilon: 0.1}
analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: H1, arm: each, mean: 0.5, test: exact}]}
claims:
  - {id: B1, kind: bias.bound, comparator: "<=", threshold: 0.5, arms: all}
  - {id: C1, kind: hypothesis, test: H1, finding: rejected}
`

// A log that the declared mechanism cannot have written, by its public columns
// alone, contradicts the declaration, and nothing stands on its accounting. A
// horizon of 4 with 100 rows of each arm once gave privacy VERIFIED, a bias
// bound of hundredths, and a rejected test; so did contexts of norm 15 under
// context_l1: 1.
func TestContradictedMechanism(t *testing.T) {
	rows, far := make([]logfile.Row, 200), make([]logfile.Row, 200)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, Reward: 1}
		far[i] = logfile.Row{Arm: i % 2, Reward: 1, X: []float64{15}}
	}
	plain := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}
	contexts := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, ContextDim: 1}
	short, long := written(t, t.TempDir(), shortHorizon, plain, rows), written(t, t.TempDir(), longContexts, contexts, far)
	for _, c := range []struct {
		name   string
		lab    *lab
		reason string
		inside changes // makes the log possible
	}{
		{"horizon", short, "round 9", changes{"horizon: 4": "horizon: 200"}},
		{"contexts", long, "200 of 200 rounds, first in round 1", changes{"context_l1: 1": "context_l1: 15"}},
	} {
		seeded := c.lab.but(t, changes{"policy: {": "policy: {seed: {file: seed.hex}, "})
		silent := *c.lab
		silent.replays = nil
		for name, l := range map[string]*lab{"no seed": c.lab, "seed": seeded, "no replay": &silent} {
			r := l.analyse(t, 1)
			if f := claim(t, r, conforms); f.Verdict != schemas.Violated || !strings.Contains(f.Reason, c.reason) {
				t.Errorf("%s, %s: conformance %s, %s", c.name, name, f.Verdict, f.Reason)
			}
			for _, id := range []string{total, "B1", "C1"} {
				if f := claim(t, r, id); f.Verdict != schemas.NotEstablished || f.Reason == "" {
					t.Errorf("%s, %s: %s is %s, %s", c.name, name, id, f.Verdict, f.Reason)
				}
			}
			e := &r.Experiments[0]
			if !math.IsInf(float64(*e.Privacy.EpsilonRealized), 1) || e.Arms[0].BiasBound != nil || e.Arms[0].CICorrected != nil || e.Tests[0].Decision != "not applicable" {
				t.Errorf("%s, %s: ε realised %v, arm %+v, test %s", c.name, name, *e.Privacy.EpsilonRealized, e.Arms[0], e.Tests[0].Decision)
			}
		}
		r := c.lab.but(t, c.inside).analyse(t, 1)
		if f, g := claim(t, r, conforms), claim(t, r, total); f.Verdict != schemas.NotEstablished || g.Verdict != schemas.Verified {
			t.Errorf("%s, possible: conformance %s, privacy %s", c.name, f.Verdict, g.Verdict)
		}
	}
}
