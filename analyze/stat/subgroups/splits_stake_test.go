package subgroups

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/allocationtest"
)

// What is counted, multiplied or joined of rounds is the product of their factors,
//
//	ln M(λ) = Σ ln(1 + λ(1/p⁺ − 1)),
//
// in whatever runs the same p⁺ comes again.
func TestStakeCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		highs := rapid.SliceOfN(rapid.Float64Range(1e-6, 1), 1, 4).Draw(t, "highs")
		slots, stakes, known := newPulls(3), make([]stake, 3), &rates{}
		var want [allocationtest.WagerSteps]float64
		var rows int64
		var inverse float64
		for range rapid.IntRange(1, 30).Draw(t, "runs") {
			high, n, to := rapid.SampledFrom(highs).Draw(t, "p"), rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(0, 2).Draw(t, "to")
			for range n {
				stakes[to].take(slots.at(0, high))
			}
			rows, inverse = rows+int64(n), inverse+float64(n)/high
			bet := 1/high - 1
			for j := range want {
				bet /= 2
				want[j] += float64(n) * math.Log1p(bet)
			}
			if to > 0 && rapid.Bool().Draw(t, "ends") { // as a stretch does
				stakes[0].join(&stakes[to])
				stakes[to].clear()
			}
		}
		logs, n, sum := standingOf(stakes, known)
		if n != rows || math.Abs(sum-inverse) > 1e-9*inverse {
			t.Fatalf("%d rounds, Σ1/p %v, want %d, %v", n, sum, rows, inverse)
		}
		for j, v := range want {
			if math.Abs(logs[j]-v) > 1e-9*max(1, math.Abs(v)) {
				t.Fatalf("λ = 2^−%d: %v, want %v", j+1, logs[j], v)
			}
		}
	})
}

// standingOf is of all stakes together.
func standingOf(stakes []stake, known *rates) (logs [allocationtest.WagerSteps]float64, rows int64, inverse float64) {
	var e standing
	for i := range stakes {
		e.of(&stakes[i], &expectation{}, known)
	}
	return e.logs, e.rows, e.inverse
}
