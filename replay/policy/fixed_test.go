package policy

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFixed(t *testing.T) {
	const quarter = 1 << 62
	for _, tt := range []struct {
		name     string
		probs    []float64
		eligible []bool
		word     uint64
		want     int
		law      []float64
	}{
		{"all", []float64{0.5, 0.25, 0.25}, nil, 2 * quarter, 1, []float64{0.5, 0.25, 0.25}},
		{"never one of probability 0", []float64{0, 1, 0}, nil, math.MaxUint64, 1, []float64{0, 1, 0}},
		{"made to add up to 1", []float64{0.5, 0.25, 0.25}, []bool{false, true, true}, 2 * quarter, 2, []float64{0, 0.5, 0.5}},
		{"what is left has probability 0", []float64{1, 0, 0}, []bool{false, true, true}, 2*quarter - 1, 1, []float64{0, 0.5, 0.5}},
		{"and its other half", []float64{1, 0, 0}, []bool{false, true, true}, 2 * quarter, 2, []float64{0, 0.5, 0.5}},
	} {
		src := &script{words: []uint64{tt.word}}
		f, s, p := NewFixed(tt.probs, src), NewState(3), make([]float64, 3)
		s.Eligible = tt.eligible
		f.Propensities(s, p)
		if diff := cmp.Diff(tt.law, p); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if got := f.Select(s); got != tt.want || src.next != 1 {
			t.Errorf("%s: arm %d after %d words, want %d after 1", tt.name, got, src.next, tt.want)
		}
	}
	if f := NewFixed([]float64{1}, nil); !f.Random() || f.ReadsRewards() {
		t.Error("fixed is random and reads no rewards")
	}
}
