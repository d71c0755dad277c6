package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// oddsLog are 800 rounds of two arms with .8 and .2 by coins, which play the
// likelier one in so many of ten.
func oddsLog(ofTen int) *truth.Log {
	var at []int64
	var actions []string
	var p, rewards []float64
	var all [][]float64
	var may [][]bool
	coins := rand.New(rand.NewPCG(3, 3))
	for t := range 800 {
		b := coins.IntN(2) // nothing before a round says which arm is the likelier one
		q := []float64{.2, .2}
		q[b] = .8
		arm := b
		if t*7%10 >= ofTen {
			arm = 1 - b
		}
		at, actions, p, all = append(at, int64(t+1)), append(actions, "ab"[arm:arm+1]), append(p, q[arm]), append(all, q)
		rewards, may = append(rewards, float64(t/7%2)), append(may, []bool{true, true})
	}
	return (&truth.Log{}).Put("round", at).Put("action", actions).Put("reward", rewards).Put("p", p).Put("all", all).Put("may", may)
}

// What contradicts the size of propensities contradicts the allocation, and the arms
// are not compared. What is looked at, and at which level, goes by protocol and
// columns.
func TestOddsDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, columns, arms string
		ofTen               int
		want                schemas.Verdict
		words               string
		level               float64 // of the splits
	}{
		{"always, all", ", propensity_by_arm: all", "[a, b]", 10, schemas.Violated, "the likelier arm was played 800 times, 640 expected (+25.0 %)", .0004},
		{"always, played", "", "[a, b]", 10, schemas.Violated, "the likelier arm was played 800 times", .0004},
		{"five of ten, played", "", "[a, b]", 5, schemas.Violated, "the likelier arm was played 400 times", .0004},
		{"always, played, arms by a column", ", eligible: may, eligible_by: schedule", "[a, b]", 10, schemas.Consistent, "was not looked at: it takes log.propensity_by_arm", .0005},
		{"always, played, three arms", "", "[a, b, c]", 10, schemas.Consistent, "was not looked at: it takes log.propensity_by_arm", .0005},
		{"always, all, arms by a column", ", propensity_by_arm: all, eligible: may, eligible_by: schedule", "[a, b]", 10, schemas.Violated, "the likelier arm was played 800 times", .0004},
	} {
		found, err := truth.Audit(oddsLog(c.ofTen), "version: 1\nexperiment: {id: odds}\nlog: {order: [round], action: action, reward: reward, propensity: p"+c.columns+"}\narms: "+c.arms+"\nreward: {range: [0, 1]}\nanalysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: D, difference: [a, b], value: 0}]}\n")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		x := found.First()
		of := check.Find(x.Data.Checks, "H17")
		h17 := of.Observed + " " + of.Detail
		got, why := claimed(found, schemas.KindAllocation)
		if got != c.want || !strings.Contains(h17, c.words) || x.Data.Splits.Level != c.level {
			t.Errorf("%s: %s, %s; %s; level %g", c.name, got, why, h17, x.Data.Splits.Level)
		}
		if looked := c.level == .0004; looked != (x.Data.Odds != nil) || looked && x.Data.Odds.Rejected != (c.want == schemas.Violated) {
			t.Errorf("%s: %+v", c.name, x.Data.Odds)
		}
		means := x.Tests[0].Comparison
		if against := means != nil && means.Means == schemas.MeansContradicted && strings.Contains(means.Words, "the likelier arm was played"); against != (c.want == schemas.Violated) {
			t.Errorf("%s: %+v", c.name, means)
		}
	}
}

// Where no propensity is logged nothing is said of the likelier arm, and none is asked
// for: a declared policy that reads no rewards has it in every round alike.
func TestOddsOfDeclared(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"name: uniform", "name: fixed, probabilities: [0.8, 0.2]"} {
		found := audited(t, oddsLog(8), "version: 1\nexperiment: {id: odds}\nlog: {order: [round], action: action, reward: reward}\narms: [a, b]\nreward: {range: [0, 1]}\npolicy: {"+policy+"}\n")
		x := found.First()
		if h17 := check.Find(x.Data.Checks, "H17"); h17.Status == schemas.CheckNotRun || strings.Contains(h17.Detail, "likelier") || x.Data.Odds != nil {
			t.Errorf("%s: %+v", policy, h17)
		}
	}
}
