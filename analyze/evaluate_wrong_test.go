package analyze_test

import (
	"math"
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
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, Target: true}, rows))
		x := valueOf(t, e, "V", "ips", "", false)
		if (x.CI == nil) != (want != "") || !strings.Contains(x.Reason, want) || strings.Contains(strings.Join(e.Cautions, "\n"), "where 1 is to be expected") != (want != "") {
			t.Errorf("%g: %v, %q, cautions %q", target, x.CI, x.Reason, e.Cautions)
		}
	}
}

// TestEveryOffWeight: all policies whose mean weight is off are named, and no other one.
// Of propensities of 1/5 and 4/5, in place of the true ½, uniform's mean weight is
// ½·(½/.2 + ½/.8) = 1.5625, that of arm a ½/.2 = 2.5, and that of the logged ones 1.
func TestEveryOffWeight(t *testing.T) {
	t.Parallel()
	e := twoArmed(t, protocolOf("propensity: propensity")+"analysis: {evaluate: [{id: U, target: uniform}, {id: A, target: {arm: a}}, {id: L, target: {fixed: [.2, .8]}}]}\n",
		logfile.RewardBool, 2000, always(.5, .4, .5), func(_ int, row *logfile.Row) {
			row.Propensity = []float64{.2, .8}[row.Arm]
		})
	cautions := strings.Join(e.Cautions, "\n")
	for _, id := range []string{"U", "A"} {
		if !strings.Contains(cautions, " of policy "+id+" ") && !strings.Contains(cautions, " of policy "+id+",") {
			t.Errorf("%s is not named: %q", id, e.Cautions)
		}
	}
	if strings.Contains(cautions, " of policy L ") {
		t.Errorf("L is named: %q", e.Cautions)
	}
}

// TestOffByMissingRewards: where every other reward of arm a is missing, the mean weight
// of arm a is .25/.75·2 = 2/3, and the log does not say that an arm could not be played
// alone. Where rewards are missing in both arms alike that weight is 1.
func TestOffByMissingRewards(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(i, arm int) bool{"one arm": func(i, arm int) bool { return arm == 0 && i%2 == 0 }, "both": func(i, _ int) bool { return i%2 == 0 }} {
		e := twoArmed(t, protocolOf("propensity: propensity, missing_reward: exclude-independent")+"analysis: {evaluate: [{id: A, target: {arm: a}}]}\n",
			logfile.RewardBool, 2000, always(.5, .4, .5), func(i int, row *logfile.Row) {
				if of(i, row.Arm) {
					row.Reward = math.NaN()
				}
			})
		x := valueOf(t, e, "A", "snips", "", false)
		if off := strings.Contains(x.Reason, "of arm a and 0 % of those of arm b"); off != (name == "one arm") || x.CI != nil && off {
			t.Errorf("%s: %v, %q", name, x.CI, x.Reason)
		}
	}
}
