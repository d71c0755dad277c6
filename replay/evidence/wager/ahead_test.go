package wager

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Rounds that are wagered on in blocks, behind the walk that overwrites their ends, come to
// what they come to one by one: of any number of rounds, with two ends and with one, and
// where all is won in the middle of a block.
func TestWagerAhead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arms, rounds int
		impossible   int // round whose action has propensity 0
	}{{1, 3, -1}, {2, 100, -1}, {3, 3 * blockEnds, -1}, {3, 3 * blockEnds, blockEnds + 7}, {10, 5000, -1}, {blockEnds + 1, 3, -1}} {
		for _, units := range []bool{false, true} {
			now, later := New(c.arms, units), New(c.arms, units)
			later.Behind()
			draw, lo, hi := rand.New(rand.NewPCG(1, uint64(c.arms))), make([]float64, c.arms), make([]float64, c.arms)
			for i := range c.rounds {
				ends := hi
				for a := range lo {
					lo[a] = (.5 + draw.Float64()) / 2 / float64(c.arms)
					hi[a] = lo[a] * (1 + draw.Float64()/10)
				}
				if draw.IntN(2) == 0 {
					ends = lo
				}
				arm, before := draw.IntN(c.arms), draw.IntN(c.arms+1)-1
				if i == c.impossible {
					lo[arm], hi[arm] = 0, 0
				}
				now.Within(int64(i+1), arm, before, lo, ends)
				later.Within(int64(i+1), arm, before, lo, ends)
			}
			label := func(int) string { return "" }
			want, got := now.Result(label), later.Result(label)
			later.ahead = nil
			if !reflect.DeepEqual(want, got) || !reflect.DeepEqual(now, later) || c.impossible >= 0 && !want.Rejected {
				t.Errorf("%+v, units %t: %+v, one by one %+v", c, units, got, want)
			}
		}
	}
}

// A panic of a block is one of whoever gathers.
func TestWagerAheadPanics(t *testing.T) {
	t.Parallel()
	w := New(1, false)
	w.Behind()
	defer func() {
		if recover() == nil {
			t.Error("an arm that does not exist was wagered on")
		}
	}()
	for i := range 3 * blockEnds {
		p := []float64{1}
		w.Within(int64(i+1), 1, -1, p, p)
	}
	w.Result(func(int) string { return "" })
}
