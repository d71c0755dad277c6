package policy

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEpsilonGreedyFollowsItsScript(t *testing.T) {
	const tenth = 0x1999999999999800 // the first word above 0.1 is this one and 2¹¹ more
	for _, tt := range []struct {
		name     string
		pulls    []int64
		sums     []float64
		eligible []bool
		words    [2]uint64
		want     int
	}{
		{"greedy", []int64{2, 2, 4}, []float64{1, 2, 3}, nil, [2]uint64{tenth + 1<<11, 0}, 1},
		{"exploring", []int64{2, 2, 4}, []float64{1, 2, 3}, nil, [2]uint64{tenth, math.MaxUint64}, 2},
		{"exploring the first", []int64{2, 2, 4}, []float64{1, 2, 3}, nil, [2]uint64{0, 0}, 0},
		{"exploring eligible arms", []int64{2, 2, 4}, []float64{1, 2, 3}, []bool{false, true, true}, [2]uint64{0, 1<<63 - 1}, 1},
		{"greedy among eligible arms", []int64{2, 2, 4}, []float64{1, 2, 3}, []bool{true, false, true}, [2]uint64{math.MaxUint64, 0}, 2},
		{"the first of equals", []int64{2, 4, 4}, []float64{1, 3, 3}, nil, [2]uint64{math.MaxUint64, 7}, 1},
		{"one without rows", []int64{2, 4, 0}, []float64{1, 3, 0}, nil, [2]uint64{math.MaxUint64, 7}, 2},
		{"exploring beside one without rows", []int64{2, 4, 0}, []float64{1, 3, 0}, nil, [2]uint64{0, 7}, 0},
	} {
		src := &script{words: tt.words[:]}
		p := NewEpsilonGreedy(3, Explore{Constant: 0.1}, Draws{Choice: src})
		s := seen(p, tt.pulls, tt.sums)
		s.Eligible = tt.eligible
		if got := p.Select(s); got != tt.want || src.next != 2 {
			t.Errorf("%s: arm %d after %d words, want %d after 2", tt.name, got, src.next, tt.want)
		}
	}
}

func TestEpsilonGreedyPropensities(t *testing.T) {
	for _, tt := range []struct {
		name     string
		explore  Explore
		round    int64
		tied     bool
		eligible []bool
		want     []float64
	}{
		{"constant", Explore{Constant: 0.5}, 9, false, nil, []float64{0.125, 0.125, 0.625, 0.125}},
		{"seeded ties", Explore{Constant: 0.5}, 9, true, nil, []float64{0.125, 0.125, 0.375, 0.375}},
		{"eligible", Explore{Constant: 0.5}, 9, true, []bool{true, true, false, false}, []float64{0.25, 0.75, 0, 0}},
		{"decay before c", Explore{Decay: 16}, 9, false, nil, []float64{0.25, 0.25, 0.25, 0.25}},
		{"decay at c", Explore{Decay: 16}, 16, false, nil, []float64{0.25, 0.25, 0.25, 0.25}},
		{"decay after c", Explore{Decay: 16}, 32, false, nil, []float64{0.125, 0.125, 0.625, 0.125}},
		{"always", Explore{Constant: 1}, 9, true, nil, []float64{0.25, 0.25, 0.25, 0.25}},
		{"never", Explore{}, 9, true, nil, []float64{0, 0, 0.5, 0.5}},
	} {
		d := Draws{}
		if tt.tied {
			d.Ties = &script{}
		}
		p := NewEpsilonGreedy(4, tt.explore, d)
		s := seen(p, []int64{2, 2, 4, 4}, []float64{0, 1, 3, 3})
		s.Round, s.Eligible = tt.round, tt.eligible
		got := make([]float64, 4)
		p.Propensities(s, got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if p := NewEpsilonGreedy(1, Explore{}, Draws{}); !p.Random() || !p.ReadsRewards() {
		t.Error("epsilon-greedy is random and reads rewards")
	}
}

// Ties take their word whether the policy explores or not.
func TestEpsilonGreedyStaysInStep(t *testing.T) {
	choice, tied := &script{words: []uint64{0, 0, math.MaxUint64, 0}}, &script{words: []uint64{math.MaxUint64, math.MaxUint64}}
	p := NewEpsilonGreedy(2, Explore{Constant: 0.5}, Draws{Choice: choice, Ties: tied})
	s := seen(p, []int64{1, 1}, []float64{1, 1})
	for i, want := range []int{0, 1} {
		if got := p.Select(s); got != want || choice.next != 2*i+2 || tied.next != i+1 {
			t.Errorf("round %d: arm %d after %d and %d words, want %d", i, got, choice.next, tied.next, want)
		}
	}
}
