package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// An action that was drawn by one more draw may have a share of 0: the row is
// counted and has no weight, and the logged shares are not what the allocation is
// held against.
func TestOneMoreDraw(t *testing.T) {
	t.Parallel()
	var l truth.Log
	l.Put("round", []int64{1, 2, 3, 4}).Put("action", []string{"a", "b", "a", "b"}).Put("reward", []float64{1, 1, 0, 1}).Put("p", []float64{0.5, 0, 0.25, 0.5})
	const protocol = `version: 1
experiment: {id: one, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: p, propensity_draws: 4, drawn: one-more}
arms: [a, b]
reward: {range: [0, 1]}
analysis: {means: constant}
`
	found, err := truth.Audit(&l, protocol)
	if err != nil {
		t.Fatal(err)
	}
	if v := found.Verdict(schemas.KindAllocation); v != schemas.NotEstablished {
		t.Errorf("allocation is %s", v)
	}
	x := found.First()
	for _, c := range x.Data.Checks {
		switch {
		case c.ID == "H04" && (c.Status != schemas.CheckPass || !strings.Contains(c.Observed, "1 row with propensity 0")),
			(c.ID == "H05" || c.ID == "H17") && (c.Status != schemas.CheckNotRun || !strings.Contains(c.Detail, "log.drawn: one-more")),
			c.ID == "H14" && !strings.Contains(c.Observed, "of 3 rows"):
			t.Errorf("%+v", c)
		}
	}
	// a: (1/.5 + 0)/4; b: (1/.5)/3, without the row in which its share is 0.
	for i, e := range x.Estimates {
		if want := []float64{0.5, 2. / 3}; i < len(want) && (e.Estimate == nil || math.Abs(*e.Estimate-want[i]) > 1e-15 || *e.Rounds != int64(4-i)) {
			t.Errorf("%s of %s: %v over %d rounds", e.Estimator, e.Target, e.Estimate, *e.Rounds)
		}
		if e.Estimate == nil || e.CI != nil || !strings.Contains(e.Reason, "drawn by one more: 1/p is too large") || !strings.Contains(e.ValidUnder, "1 round in which it is 0 is left out") {
			t.Errorf("%+v", e)
		}
	}
	if _, err = truth.Audit(&l, strings.Replace(protocol, ", drawn: one-more", "", 1)); err == nil {
		t.Error("a propensity of 0 is accepted")
	}
}
