package adaptive

import (
	"math"
	"testing"
)

// TestDetectableCanBe: no deviation is said to be found that cannot be. An arm of
// probability ½ that is played in all of T rounds has p = 2·½^T, which is below
// 0.0005/4 from T = 14 on; with two propensities that change a bound decides.
func TestDetectableCanBe(t *testing.T) {
	t.Parallel()
	for _, rounds := range []int{1, 2, 10, 13, 14, 16, 30, 400} {
		arm, p := make([]int32, rounds), make([]float64, 0, 2*rounds)
		for range rounds {
			p = append(p, 0.5, 0.5)
		}
		r := exactOf(t, 2, arm, p).Test(AllocationLevel, nil)
		if r.Enough != 14 || r.Finds() != (rounds >= 14) {
			t.Errorf("%d rounds: %d are enough, and something is found: %t", rounds, r.Enough, r.Finds())
		}
		for a, s := range r.Arms {
			if none := math.IsInf(s.Detectable, 1); none != (rounds < 14) || !none && s.Detectable > 100 {
				t.Errorf("arm %d of %d rounds: %g %%", a, rounds, s.Detectable)
			}
		}
		p[0], p[1] = 0.75, 0.25
		for a, s := range exactOf(t, 2, arm, p).Test(AllocationLevel, nil).Arms {
			if s.Detectable > 110 && !math.IsInf(s.Detectable, 1) || rounds < 10 && s.Testable && !math.IsInf(s.Detectable, 1) {
				t.Errorf("varied, arm %d of %d rounds: %g %%", a, rounds, s.Detectable)
			}
		}
	}
}
