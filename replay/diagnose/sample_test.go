package diagnose

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A sample has the first mismatch, at most as many rows of either kind as it
// may, all of them in order and within its window; and every mismatch of the
// window where there are few.
func TestSampleIsBoundedAndInOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.Int64Range(1, 200_000).Draw(r, "rows")
		arms := rapid.SampledFrom([]int{2, 10, 600, 1_000_000}).Draw(r, "arms")
		first := rapid.Int64Range(0, rows-1).Draw(r, "first")
		step := rapid.Int64Range(1, 500).Draw(r, "step")
		s := NewSample(rows, arms)
		var all []int64
		end := min(rows, first+windowRows)
		for row := first; row < rows; row += step {
			s.Beyond(row)
			if row < end {
				all = append(all, row)
			}
		}
		got := s.Chosen()
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			r.Fatalf("rows %v", got)
		}
		if got[0] != 0 || got[len(got)-1] >= end || !slices.Contains(got, first) || len(got) > 2*s.most {
			r.Fatalf("%d rows from %d to %d of %d, first mismatch %d, at most %d", len(got), got[0], got[len(got)-1], end, first, s.most)
		}
		if kept := len(s.found); kept > s.most || kept < min(len(all), s.most/2) {
			r.Errorf("%d of %d mismatches are kept, at most %d", kept, len(all), s.most)
		}
		if len(all) <= s.most && !slices.Equal(s.found, all) {
			r.Errorf("%v, want %v", s.found, all)
		}
		for i, row := range s.found {
			if row != first+int64(i)*step*s.every {
				r.Fatalf("mismatch %d kept is row %d, of every %d", i, row, s.every)
			}
		}
	})
}
