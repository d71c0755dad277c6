package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/schemas"
)

// twoSplits are two splits of two arms, by two partitions of two cells.
func twoSplits(deficits bool) subgroups.SplitPlan {
	sides := []subgroups.Side{subgroups.SideNo, subgroups.SideYes}
	return subgroups.SplitPlan{
		Arms: 2, Level: allocationtest.SplitsLevel, Deficits: deficits,
		Cells: []int{2, 2}, Splits: []subgroups.SplitOf{{Partition: 0, Sides: sides}, {Partition: 1, Sides: sides}},
	}
}

// split2 are facts of a log of two arms at p = .5, which one split of two follows
// in so many rounds.
func split2(follows int, all bool) *Inputs {
	f := good()
	f.Propensities = &Propensities{}
	s := subgroups.NewSplits(twoSplits(all))
	rows := &subgroups.SplitRows{Cells: make([][]uint8, 2)}
	for i := range 400 {
		side, arm := i/2%2, i%2
		if i < follows {
			arm = side
		}
		rows.Arm, rows.High = append(rows.Arm, int32(arm)), append(rows.High, .5)
		rows.Cells[0], rows.Cells[1] = append(rows.Cells[0], uint8(side)), append(rows.Cells[1], uint8(i/4%2))
		if all {
			rows.Low = append(rows.Low, .5, .5)
		}
	}
	s.Add(rows)
	f.Splits = &Splits{
		Looked: []Split{
			{Name: "the previous action", Sides: [2]string{"behind b", "behind a"}, Previous: true},
			{Name: "x", Sides: [2]string{"with x below", "with x above"}},
		},
		Result: s.Result(), Deficits: all,
	}
	return f
}

func TestH17(t *testing.T) {
	f := good()
	expect(t, "no propensity", allocationSubgroups().on(f), schemas.Check{ID: "H17", Status: schemas.CheckNotRun, Detail: "Declare log.propensity or log.propensity_by_arm to make this possible."})
	f.Propensities, f.Splits = &Propensities{}, &Splits{Why: "Units."}
	expect(t, "a reason", allocationSubgroups().on(f), schemas.Check{ID: "H17", Status: schemas.CheckNotRun, Detail: "Units."})

	got := allocationSubgroups().on(split2(0, true))
	if got.Status != schemas.CheckPass || *got.P != 1 || *got.Statistic != 1 || got.Observed != "largest average wager 1, below 2,000" ||
		!strings.HasPrefix(got.Detail, "Looked at: the previous action, x. "+ElseWords+". Smallest deviation on one side, relative to the propensity, that is found in about three of four logs: 41.9 % by the previous action; 41.9 % by x.") {
		t.Errorf("even: %+v", got)
	}
	got = allocationSubgroups().on(split2(400, false))
	if got.Status != schemas.CheckFail || *got.P > 1e-10 || got.Observed != "arm a was played 200 times in rounds behind b; Σ 1/p over these plays is 100 % above its expectation" {
		t.Errorf("follows: %+v", got)
	}
	for _, want := range []string{"at level 0.0005. The average of 8 wagers reached 2,000 by round ", "p is not the probability given the previous round; fixed counts per batch, and choices that go by the last reward, look like this"} {
		if !strings.Contains(got.Detail, want) {
			t.Errorf("follows: no %q in %q", want, got.Detail)
		}
	}
	for _, c := range []struct {
		w    subgroups.SplitAccount
		kept bool
	}{
		{subgroups.SplitAccount{Arm: 0, Side: subgroups.SideYes}, true},
		{subgroups.SplitAccount{Arm: 1, Side: subgroups.SideNo}, true},
		{subgroups.SplitAccount{Arm: 0, Side: subgroups.SideNo}, false},
		{subgroups.SplitAccount{Arm: 1, Side: subgroups.SideYes}, false},
		{subgroups.SplitAccount{Arm: 0, Side: subgroups.SideYes, Underserved: true}, false},
		{subgroups.SplitAccount{Arm: 0, Side: subgroups.SideNo, Underserved: true}, true},
	} {
		if got := looksLike(&c.w); strings.HasPrefix(got, "draws that are kept") != c.kept {
			t.Errorf("%+v looks like %s", c.w, got)
		}
	}
	f = split2(400, false)
	f.Splits.Looked[0].Previous, f.Splits.LeftOut, f.Declared = false, strings.Fields("c d e f g h i j k l"), false
	got = allocationSubgroups().on(f)
	for _, want := range []string{" Left out, beyond 2: c, d, e, f, g, h, i, j and 2 more.", " Surpluses only: "} {
		if !strings.Contains(got.Detail, want) {
			t.Errorf("no %q in %q", want, got.Detail)
		}
	}
	if strings.Contains(got.Detail, "fixed counts") {
		t.Errorf("another split: %q", got.Detail)
	}
}

// Where nothing could have been found, nothing was looked at.
func TestH17Short(t *testing.T) {
	f := split2(0, false)
	s := subgroups.NewSplits(twoSplits(false))
	s.Add(&subgroups.SplitRows{Cells: [][]uint8{{0, 1}, {1, 0}}, Arm: []int32{0, 1}, High: []float64{.5, .5}})
	f.Splits.Result = s.Result()
	got := allocationSubgroups().on(f)
	if got.Status != schemas.CheckNotRun || !strings.HasPrefix(got.Detail, "The log is too short") || !strings.Contains(got.Detail, "none by x") {
		t.Errorf("%+v", got)
	}
	if words := wagerWords(math.Inf(1)); words != "above 1e298" {
		t.Error(words)
	}
}
