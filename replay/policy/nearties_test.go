package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// UCB keeps its indices to itself only where one is ahead of all others.
func TestIndicesOfUCB(t *testing.T) {
	const k = 4
	plays, learned := Width{C: 2, Clock: NewClock(ClockPlays, 0, 0)}, Width{C: 2, Clock: NewClock(ClockLearned, 3, 0)}
	for _, w := range []Width{{C: 2}, Width{C: 2}.Shared(), plays, plays.Shared(), learned, learned.Shared(), {Delta: 0.1, Clock: NewClock("", 0, 100)}} {
		u, s, draw := NewUCB(k, w, nil, nil), NewState(k), rand.New(rand.NewPCG(1, 2))
		kept, given := 0, 0
		for ; s.Round <= 20_000; s.Round++ {
			arm := u.Select(s)
			indices := slices.Clone(u.Indices(s))
			if root := w.root(w.Clock.at(s)); unseen(s, nil) >= 0 {
				if indices != nil {
					t.Fatalf("round %d: %v, and an arm without rows is played", s.Round, indices)
				}
			} else {
				want := make([]float64, k)
				for i := range want {
					want[i] = s.Sums[i]/float64(s.Pulls[i]) + float64(root*(1/math.Sqrt(float64(s.Pulls[i]))))
				}
				sorted := slices.Sorted(slices.Values(want))
				if gap := (sorted[k-1] - sorted[k-2]) / sorted[k-1]; indices == nil && gap <= 0x1p-20 {
					t.Fatalf("round %d: no indices, and the two largest are apart by %g", s.Round, gap)
				}
				if indices != nil && !slices.Equal(indices, want) {
					t.Fatalf("round %d: indices %v, want %v", s.Round, indices, want)
				}
				if indices == nil {
					kept++
				} else {
					given++
				}
			}
			s.Played[arm]++
			s.Pulls[arm]++
			s.Sums[arm] += float64(draw.IntN(2))
			u.Observe(s, arm)
		}
		if kept == 0 || given == 0 {
			t.Errorf("indices were kept in %d rounds and given in %d", kept, given)
		}
	}
}

// Shares of one winner are what Propensities are where it is the largest, of every
// policy that compares indices.
func TestSharesOfTheLargest(t *testing.T) {
	for _, p := range each() {
		policy, ok := p.make(3, Draws{Choice: rand.NewPCG(1, 1)}).(Indexed)
		if _, linear := policy.(Linear); !ok || linear {
			continue
		}
		s := seen(policy, []int64{5, 4, 6}, []float64{1, 3, 2})
		s.Eligible = []bool{true, true, false}
		indices := policy.Indices(s)
		winner := 0
		if indices[1] > indices[0] {
			winner = 1
		}
		want, got := make([]float64, 3), make([]float64, 3)
		policy.Propensities(s, want)
		policy.Shares(s, []int{winner}, got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: shares %v, propensities %v", p.name, got, want)
		}
	}
}
