package conformance

import (
	"cmp"
	"testing"
)

// A draw is held against the rewards that were new in its release: that of its
// row, where each row has a release, and those of its epoch, where each row is in
// one sum only; both against the mean of all rows before. A draw of several
// variables is held against none, nor is the first of an arm.
func TestDrawsStandBesideTheirRewards(t *testing.T) {
	for _, c := range []struct {
		counter string
		first   func(rows int64) int64 // of the rows that are new in a release of so many, from 0
		last    func(rows int64) int64 // beyond them
	}{
		{"laplace", func(rows int64) int64 { return rows - 1 }, func(rows int64) int64 { return rows }},
		{"hybrid", func(rows int64) int64 { return rows - 1 }, func(rows int64) int64 { return rows }},
		{"epochs", func(rows int64) int64 { return rows - 1 }, func(rows int64) int64 { return 2*rows - 1 }},
	} {
		p := noisy("ucb", c.counter)
		l := show(t, p, 500, 3, false)
		rewards := map[int][]float64{}
		for i, arm := range l.Arm {
			rewards[int(arm)] = append(rewards[int(arm)], l.Reward[i])
		}
		sum := func(list []float64) (s float64) {
			for _, x := range list {
				s += x
			}
			return s
		}
		sides := map[int]int{}
		for _, d := range examined(t, p, l.write(t)).noise.Draws() {
			own, from, to := rewards[d.Arm], c.first(d.Rows), c.last(d.Rows)
			var want int
			if from > 0 {
				want = cmp.Compare(sum(own[from:to])*float64(from), sum(own[:from])*float64(to-from))
			}
			sides[want]++
			if d.Above != want {
				t.Errorf("%s, arm %d, %d rows: %d, want %d", c.counter, d.Arm, d.Rows, d.Above, want)
			}
		}
		if sides[1] == 0 || sides[-1] == 0 || c.counter != "epochs" && sides[1] < 50 {
			t.Errorf("%s: %v", c.counter, sides)
		}
	}
	p := honest()["every 9 rounds"]
	for _, d := range examined(t, p, show(t, p, 500, 3, false).write(t)).noise.Draws() {
		if d.Count > 1 && d.Above != 0 {
			t.Errorf("%+v", d)
		}
	}
}
