package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
)

// TestTargetsThatCannotBe: a column that gives .9 to whatever was played, of two arms with
// ½ each, is no policy's: its mean weight is 1.8. Its approximate intervals held nothing
// that any policy can earn, without a word.
func TestTargetsThatCannotBe(t *testing.T) {
	t.Parallel()
	for target, want := range map[float64]string{.9: "is 1.8 where 1 is to be expected", .55: "is 1.1 where 1 is to be expected", .25: "is 0.5 where 1 is to be expected", .5: ""} {
		r := rand.New(rand.NewPCG(8, 8))
		rows := make([]logfile.Row, 2000)
		for i := range rows {
			rows[i] = weightedRow(r, .5, [2]float64{.4, .5})
			rows[i].Target = target
		}
		source := protocolOf("propensity: propensity") + "analysis: {evaluate: [{id: V, target: {column: target}}]}\n"
		e := one(t, written(t, t.TempDir(), source, &logfile.Spec{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, Target: true}, rows))
		x := valueOf(t, e, "V", "ips", "", false)
		if (x.CI == nil) != (want != "") || !strings.Contains(x.Reason, want) || strings.Contains(strings.Join(e.Cautions, "\n"), "where 1 is to be expected") != (want != "") {
			t.Errorf("%g: %v, %q, cautions %q", target, x.CI, x.Reason, e.Cautions)
		}
	}
}
