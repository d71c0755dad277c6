package diagnose

import (
	"slices"
	"testing"
)

// rounds up to n in which a schedule learns.
func learnsIn(n int64, learns func(t int64) bool) []int64 {
	var out []int64
	for t := int64(1); t <= n; t++ {
		if learns(t) {
			out = append(out, t)
		}
	}
	return out
}

func TestPeriods(t *testing.T) {
	every, batches := &periods{every: 5, end: 13}, &periods{starts: []int64{1, 4, 9}, end: 13}
	for _, tt := range []struct {
		name   string
		learns func(t int64) bool
		want   []int64
	}{
		{"every", every.begins, []int64{1, 6, 11}},
		{"every, late", every.shifted(1), []int64{2, 7, 12}},
		{"every, early", every.shifted(-1), []int64{5, 10}},
		{"every, halved down", every.halved(false), []int64{1, 3, 6, 8, 11}},
		{"every, halved up", every.halved(true), []int64{1, 4, 6, 9, 11}},
		{"batches", batches.begins, []int64{1, 4, 9}},
		{"batches, late", batches.shifted(1), []int64{2, 5, 10}},
		{"batches, early", batches.shifted(-1), []int64{3, 8}},
		{"batches, halved down", batches.halved(false), []int64{1, 2, 4, 6, 9, 11}},
		{"batches, halved up", batches.halved(true), []int64{1, 3, 4, 7, 9, 11}},
	} {
		if got := learnsIn(12, tt.learns); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
