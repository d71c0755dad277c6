package corrections

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/maxinfo"
)

// Rounded levels are never below, keep the number of blocks, stay within their
// limit and do not depend on the order.
func TestRoundedLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e-300), rapid.Float64Range(1, math.MaxFloat64),
			rapid.Just(0.0), rapid.Just(math.Inf(1))), 1, 300).Draw(t, "costs")
		limit := rapid.IntRange(1, 300).Draw(t, "limit")
		count := func(costs []float64) ([]maxinfo.Level, uint) {
			l := roundedLevels{limit: limit, counts: map[float64]int64{}}
			for _, c := range costs {
				l.add(c)
			}
			return sortedLevels(l.counts), l.drop
		}
		levels, drop := count(costs)
		if len(levels) > limit && drop < mantissaBits {
			t.Fatalf("%d levels, at most %d", len(levels), limit)
		}
		slices.Reverse(costs)
		if again, _ := count(costs); !slices.Equal(again, levels) {
			t.Fatalf("%v in reverse %v", levels, again)
		}
		slices.Sort(costs)
		if !slices.Equal(count1(levels), sortedUp(costs, levels)) {
			t.Fatalf("levels %v of %v", levels, costs)
		}
		if different := len(slices.Compact(slices.Clone(costs))); different <= limit && drop != 0 {
			t.Fatalf("%d different costs were rounded, %d may stay", different, limit)
		}
	})
}

// count1 are the costs of levels, one for each block.
func count1(levels []maxinfo.Level) []float64 {
	var out []float64
	for _, l := range levels {
		for range l.Rows {
			out = append(out, l.Cost)
		}
	}
	return out
}

// sortedUp puts every cost to the lowest level that is not below it.
func sortedUp(costs []float64, levels []maxinfo.Level) []float64 {
	var out []float64
	for _, c := range costs {
		for _, l := range levels {
			if l.Cost >= c {
				out = append(out, l.Cost)
				break
			}
		}
	}
	return out
}
