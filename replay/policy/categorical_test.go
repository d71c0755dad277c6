package policy

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCategoricalFollowsItsScript(t *testing.T) {
	const last = math.MaxUint64
	third := 1.0 / 3
	for _, tt := range []struct {
		name     string
		weights  []float64
		eligible []bool
		word     uint64
		want     int
	}{
		{"the low end", []float64{1, 1}, nil, 0, 0},
		{"below a half", []float64{1, 1}, nil, 1<<63 - 1, 0},
		{"a half", []float64{1, 1}, nil, 1 << 63, 1},
		{"eleven bits are cut off", []float64{1, 1}, nil, 1<<63 + 1<<11 - 1, 1},
		{"the low end of weight 0", []float64{0, 0, 5}, nil, 0, 2},
		{"the high end of weight 0", []float64{5, 1, 0}, nil, last, 1},
		{"a heavy arm that is not eligible", []float64{1e9, 1, 3}, []bool{false, true, true}, 1 << 61, 1},
		{"and the rest", []float64{1e9, 1, 3}, []bool{false, true, true}, 1 << 62, 2},
		{"a sum that rounds up to its target", []float64{third, 1e-17, third, third + 0x1p-53, 0}, nil, last, 3},
		{"one arm takes its word too", []float64{7}, nil, last, 0},
		{"the smallest weights", []float64{0, 5e-324, 0}, nil, last, 1},
	} {
		s := NewState(len(tt.weights))
		s.Eligible = tt.eligible
		src := &script{words: []uint64{tt.word}}
		if got := categorical(src, s, tt.weights); got != tt.want || src.next != 1 {
			t.Errorf("%s: arm %d after %d words, want %d after 1", tt.name, got, src.next, tt.want)
		}
	}
}

// For any weights and any word the arm is eligible and of a weight above 0,
// and it is the one whose interval of the distribution function holds u.
func TestCategoricalInvertsTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 8).Draw(t, "k")
		s, weights, sure := NewState(k), make([]float64, k), rapid.IntRange(0, k-1).Draw(t, "sure")
		s.Eligible = make([]bool, k)
		for i := range weights {
			s.Eligible[i] = i == sure || rapid.Bool().Draw(t, "eligible")
			if i == sure || rapid.Bool().Draw(t, "positive") {
				weights[i] = rapid.Float64Range(1e-12, 1e12).Draw(t, "weight")
			}
		}
		word := rapid.Uint64().Draw(t, "word")
		got := categorical(&script{words: []uint64{word}}, s, weights)
		if !s.Eligible[got] || weights[got] == 0 {
			t.Fatalf("arm %d of weight %v, eligible %v", got, weights[got], s.Eligible[got])
		}
		p := make([]float64, k)
		normalise(s, weights, p)
		below := 0.0
		for i := range got {
			below += p[i]
		}
		u := float64(word>>11) * 0x1p-53
		if u < below-1e-14 || u > below+p[got]+1e-14 {
			t.Fatalf("u = %v draws arm %d, whose interval is [%v, %v)", u, got, below, below+p[got])
		}
	})
}
