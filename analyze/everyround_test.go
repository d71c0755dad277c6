package analyze_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestEveryRound: of two arms one pays more in the first half and as much less in the
// second. Their means are alike, and a difference that wagers on the arm decide is rejected:
// test and claim say what is, and the question stays the declared one.
func TestEveryRound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(45, 1))
	rows := make([]logfile.Row, 1500)
	for i := range rows {
		arm, mean := r.IntN(2), .3
		if (arm == 0) == (i < len(rows)/2) {
			mean = .7
		}
		rows[i] = logfile.Row{Arm: arm, PropensityByArm: []float64{.5, .5}}
		if r.Float64() < mean {
			rows[i].Reward = 1
		}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm") + `analysis:
  chosen: before
  multiplicity: none
  tests:
    - {id: D, difference: [b, a], value: 0}
    - {id: W, difference: [a, b], value: 0, decide: any-time}
    - {id: E, equal: [b, a]}
claims: [{id: C, kind: hypothesis, test: D, finding: rejected}, {id: F, kind: hypothesis, test: E, finding: rejected}]
`
	res := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, PropensityByArm: true}, rows).analyse(t, 1)
	test, _ := decidedBy(t, res, "D", schemas.MethodAssignment)
	if test.Decision != schemas.DecisionRejected || !test.EveryRound() || !strings.HasPrefix(test.Hypothesis, "the arms b and a pay alike in every round (assignment tests this") {
		t.Errorf("D is %s: %s", test.Decision, test.Hypothesis)
	}
	test, _ = decidedBy(t, res, "W", schemas.MethodAnyTime)
	if test.Decision != schemas.DecisionKept || test.EveryRound() || test.Hypothesis != "the mean reward of arm a less that of arm b over all rounds, each given everything before it, is 0" || test.Over != "all rounds" {
		t.Errorf("W is %s: %s", test.Decision, test.Hypothesis)
	}
	test, _ = decidedBy(t, res, "E", schemas.MethodAssignment)
	if test.EveryRound() || test.Hypothesis != "the arms b and a pay alike in every round" {
		t.Errorf("E: %s", test.Hypothesis)
	}
	for id, says := range map[string]bool{"C": true, "F": false} {
		if f := claim(t, res, id); f.Verdict != schemas.Consistent || strings.Contains(f.Statement, "no difference of their means") != says {
			t.Errorf("%s is %s: %s", id, f.Verdict, f.Statement)
		}
	}
	if !slices.ContainsFunc(res.Experiments[0].Warnings, func(w string) bool { return strings.HasPrefix(w, "tests that ask the same: D and W;") }) {
		t.Errorf("warnings: %q", res.Experiments[0].Warnings)
	}
}
