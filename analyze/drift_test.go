package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/stat/drift"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const moving = `version: 1
experiment: {id: moving, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: uniform}
`

func movingSpec() *logfile.Layout {
	return &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat}
}

// movingRows are n rounds of three arms that pay .3, but for arm a in the second
// half.
func movingRows(seed uint64, n int, to float64) []logfile.Row {
	r := rand.New(rand.NewPCG(seed, 13))
	rows := make([]logfile.Row, n)
	for i := range rows {
		mean := .3
		rows[i].Arm = r.IntN(3)
		if rows[i].Arm == 0 && 2*i >= n {
			mean = to
		}
		if r.Float64() < mean {
			rows[i].Reward = 1
		}
	}
	return rows
}

func h13(t *testing.T, e *schemas.Experiment) *schemas.Check {
	t.Helper()
	c := check.Find(e.Data.Checks, "H13")
	if c == nil {
		t.Fatal("there is no check H13")
	}
	return c
}

// The evidence is that of each arm's rewards in the order of rounds, rescaled,
// with any number of workers; it is a note, and data.quality does not stand on it.
func TestDriftByArm(t *testing.T) {
	rows := movingRows(1, 3000, .7)
	arms := []*drift.Drift{drift.NewDrift(), drift.NewDrift(), drift.NewDrift()}
	for i := range rows {
		arms[rows[i].Arm].Add(rows[i].Reward)
	}
	want := drift.Drifts(arms)
	l := written(t, t.TempDir(), moving, movingSpec(), rows)
	c := h13(t, one(t, l))
	if c.Status != schemas.CheckNote || !strings.HasPrefix(c.Observed, "the mean moves in 1 of 3 arms: a (p ") || math.Abs(math.Log(*c.P)-math.Log(3)-want[0].LogP) > 1e-9 {
		t.Errorf("%+v", c)
	}
	for _, f := range l.analyse(t, 1).Claims {
		if f.Kind == schemas.KindDataQuality && f.Verdict != schemas.Verified {
			t.Errorf("data.quality is %s: %s", f.Verdict, f.Reason)
		}
	}
	for _, jobs := range []int{1, 3, 7} {
		if diff := cmp.Diff(c, h13(t, &l.analyse(t, jobs).Experiments[0])); diff != "" {
			t.Errorf("%d workers: %s", jobs, diff)
		}
	}
	for i := range rows {
		rows[i].Reward = 20*rows[i].Reward - 10
	}
	wide := h13(t, one(t, written(t, t.TempDir(), strings.Replace(moving, "[0, 1]", "[-10, 10]", 1), movingSpec(), rows)))
	if *wide.P != *c.P {
		t.Errorf("p %v of rewards of [-10, 10], %v of the same of [0, 1]", *wide.P, *c.P)
	}
}

// Successes that become known 500 rounds late come in heaps in the order in which
// they arrive, and not in that of plays: a constant mean is not convicted.
func TestDriftWithDelays(t *testing.T) {
	spec := movingSpec()
	spec.RewardOrder = true
	for seed := range uint64(5) {
		rows := movingRows(seed, 3000, .3)
		for i := range rows {
			rows[i].RewardOrder = int64(i + 2)
			if rows[i].Reward == 1 {
				rows[i].RewardOrder += 500
			}
		}
		l := written(t, t.TempDir(), strings.Replace(moving, "reward: reward", "reward: reward, reward_order: reward_order", 1), spec, rows)
		if c := h13(t, one(t, l)); c.Status != schemas.CheckPass {
			t.Errorf("seed %d: %s", seed, c.Observed)
		}
	}
}

// Users come back 40 times in a row and differ: their rows foretell each other.
// Declared, the first row of each counts, and nothing moves; undeclared, H13 says
// what it may be.
func TestDriftByUnit(t *testing.T) {
	spec := movingSpec()
	spec.Unit = true
	rows := movingRows(3, 8000, .3)
	r := rand.New(rand.NewPCG(40, 13))
	mean := 0.
	for i := range rows {
		if i%40 == 0 {
			mean = float64(r.IntN(2))*.8 + .1
		}
		rows[i].Unit = fmt.Sprint("u", i/40)
		rows[i].Reward = 0
		if r.Float64() < mean {
			rows[i].Reward = 1
		}
	}
	l := written(t, t.TempDir(), strings.Replace(moving, "reward: reward", "reward: reward, unit: unit", 1), spec, rows)
	c := h13(t, one(t, l))
	if c.Status != schemas.CheckPass || !strings.Contains(c.Detail, "the first row of each unit alone") {
		t.Errorf("%s %s", c.Observed, c.Detail)
	}
	c = h13(t, one(t, written(t, t.TempDir(), moving, movingSpec(), rows)))
	if c.Status != schemas.CheckNote || !strings.Contains(c.Detail, "several of one unit that is not declared (log.unit)") {
		t.Errorf("%s %s", c.Observed, c.Detail)
	}
}
