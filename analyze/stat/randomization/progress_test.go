package randomization

import (
	"slices"
	"testing"
)

// TestProgress: a test tells of rounds from none to all, never fewer than before, also
// where it ends early; and its result is that of one which tells nobody.
func TestProgress(t *testing.T) {
	t.Parallel()
	y := make([]float64, 1000)
	for i := range y {
		y[i] = float64(i*i%7) / 6
	}
	l := &Log{Arms: 3, Arm: make([]int32, len(y)), Reward: y, Groups: make([]int32, len(y))}
	for i := range l.Arm {
		l.Arm[i] = int32(i % 3)
	}
	for stop, least := range map[int]int{5: 2, 1000: 3} {
		o := Options{Draws: 500, Exceedances: stop, Jobs: 2}
		var told []int64
		r, err := Test(WithProgress(t.Context(), func(done, total int64) {
			if total != 500*1000 {
				t.Errorf("of %d", total)
			}
			told = append(told, done)
		}), l, ucb1{3, .5, y}, o)
		quiet, other := Test(t.Context(), l, ucb1{3, .5, y}, o)
		if err != nil || other != nil || r != quiet {
			t.Errorf("%+v and %+v: %v, %v", r, quiet, err, other)
		}
		if n := len(told); n < least || told[0] != 0 || told[n-1] != 500*1000 || !slices.IsSorted(told) {
			t.Errorf("told %v", told)
		}
	}
}
