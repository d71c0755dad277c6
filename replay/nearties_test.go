package replay

import "testing"

// The mean of 0, 0 and of 1, 1, 1 is the same by any arithmetic, and that of one reward;
// that of 1, 0, 0 is not, for 0 + (0 − 0) and 1/3 + (0 − 1/3)/4 are rounded in between.
func TestPlain(t *testing.T) {
	r := build(t, ucb1(), 3).NewRunner(Seed(1), "x")
	for _, step := range []struct {
		arm    int
		reward float64
		plain  [3]bool
	}{
		{0, .3, [3]bool{true, true, true}},
		{1, 1, [3]bool{true, true, true}},
		{1, 1, [3]bool{true, true, true}},
		{2, 0, [3]bool{true, true, true}},
		{2, 0, [3]bool{true, true, true}},
		{0, .3, [3]bool{false, true, true}},
		{2, 1, [3]bool{false, true, false}},
		{1, 0, [3]bool{false, false, false}},
		{1, 1, [3]bool{false, false, false}},
	} {
		r.Next(&Round{})
		r.Add(step.arm, step.reward)
		for arm, want := range step.plain {
			if got := r.Plain([]int{arm}); got != want {
				t.Errorf("after %v: arm %d is plain: %t", step, arm, got)
			}
		}
	}
	if r.Plain([]int{0, 1}) {
		t.Error("two arms, neither of them plain, are")
	}
}
