package policy

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The width √(c·ln t/N) is 0.1 for c = 0.04/ln 101 at t = 101 and N = 4, where
// means that are more than 0.2 apart decide.
func TestSuccessiveElimination(t *testing.T) {
	tenth := Width{C: 0.04 / math.Log(101)}
	for _, tt := range []struct {
		name     string
		bonus    Bonus
		played   []int64
		pulls    []int64
		sums     []float64
		eligible []bool
		active   []bool
		want     int
	}{
		{"intervals that meet", nil, []int64{4, 5, 6}, []int64{4, 4, 4}, []float64{2, 2.2, 2.4}, nil, []bool{true, true, true}, 0},
		{"the first is beaten", nil, []int64{4, 6, 5}, []int64{4, 4, 4}, []float64{2, 2.2, 3}, nil, []bool{false, true, true}, 2},
		{"two are beaten", nil, []int64{4, 6, 5}, []int64{4, 4, 4}, []float64{4, 2.2, 3}, nil, []bool{true, false, false}, 0},
		{"a bonus keeps them", Paper(0.2), []int64{4, 6, 5}, []int64{4, 4, 4}, []float64{2, 2.2, 2.9}, nil, []bool{true, true, true}, 0},
		{"one that is not eligible beats another", nil, []int64{4, 6, 5}, []int64{4, 4, 4}, []float64{2, 3, 2.9}, []bool{true, false, true}, []bool{false, true, true}, 2},
		{"no eligible arm is active", nil, []int64{9, 6, 8}, []int64{4, 4, 4}, []float64{2, 3, 2}, []bool{true, false, true}, []bool{false, true, false}, 2},
		{"one without rows is not dropped and drops none", nil, []int64{4, 6, 3}, []int64{4, 4, 0}, []float64{2, 2.2, 0}, nil, []bool{true, true, true}, 2},
		{"nor does it hold up others", nil, []int64{4, 6, 5}, []int64{4, 4, 0}, []float64{2, 3, 0}, nil, []bool{false, true, true}, 2},
		{"of equals the first", nil, []int64{4, 4, 4}, []int64{4, 4, 4}, []float64{2, 2, 2}, nil, []bool{true, true, true}, 0},
	} {
		p := NewSuccessiveElimination(3, tenth, tt.bonus, nil)
		s := seen(p, tt.pulls, tt.sums)
		s.Round, s.Played, s.Eligible = 101, tt.played, tt.eligible
		got := p.Select(s)
		if diff := cmp.Diff(tt.active, p.active); diff != "" || got != tt.want {
			t.Errorf("%s: arm %d, want %d; active (-want +got):\n%s", tt.name, got, tt.want, diff)
		}
	}
	if p := NewSuccessiveElimination(1, tenth, nil, nil); p.Random() || !p.ReadsRewards() {
		t.Error("without seeded ties elimination draws nothing")
	}
}

func TestSuccessiveEliminationSeededTies(t *testing.T) {
	src := &script{words: []uint64{0, math.MaxUint64, 5}}
	p := NewSuccessiveElimination(3, Width{C: 2}, nil, src)
	s, probs := NewState(3), make([]float64, 3)
	s.Played = []int64{1, 0, 0}
	p.Propensities(s, probs)
	if diff := cmp.Diff([]float64{0, 0.5, 0.5}, probs); diff != "" || !p.Random() {
		t.Errorf("random %v: %s", p.Random(), diff)
	}
	for i, want := range []int{1, 2} {
		if got := p.Select(s); got != want || src.next != i+1 {
			t.Errorf("word %d: arm %d after %d words, want %d", i, got, src.next, want)
		}
	}
	s.Eligible = []bool{true, false, false}
	if got := p.Select(s); got != 0 || src.next != 3 {
		t.Errorf("arm %d after %d words", got, src.next)
	}
}

// eliminator is the policy written for reading, with the whole history: it
// computes every bound of every round again.
type eliminator struct {
	w     Width
	bonus Bonus
	gone  map[int]bool
}

func (e *eliminator) choose(s *State) int {
	lower, upper := map[int]float64{}, map[int]float64{}
	best := math.Inf(-1)
	for i, n := range s.Pulls {
		if n == 0 || e.gone[i] {
			continue
		}
		r := math.Sqrt(e.w.C * math.Log(float64(s.Round)) / float64(n))
		if e.w.Delta > 0 {
			r = math.Sqrt(2 * math.Log(float64(s.Round)/e.w.Delta) / float64(n))
		}
		if e.bonus != nil {
			r += e.bonus.Gamma(n) / float64(n)
		}
		lower[i], upper[i] = s.Sums[i]/float64(n)-r, s.Sums[i]/float64(n)+r
		best = math.Max(best, lower[i])
	}
	for i, u := range upper {
		e.gone[i] = u < best
	}
	arm, alive := -1, false
	for i := range s.Pulls {
		if !s.CanPlay(i) || alive && e.gone[i] {
			continue
		}
		if arm < 0 || !alive && !e.gone[i] || s.Played[i] < s.Played[arm] {
			arm, alive = i, alive || !e.gone[i]
		}
	}
	return arm
}

// On random histories, released late and in bunches, the policy chooses what
// the one written for reading does, and an arm that is dropped stays dropped.
// Sums are such that no bound is within a rounding of another.
func TestSuccessiveEliminationEqualsItsReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		w := Width{C: rapid.Float64Range(0.001, 0.3).Draw(t, "c")}
		if rapid.Bool().Draw(t, "delta") {
			w = Width{Delta: 0.9}
		}
		var b Bonus
		if rapid.Bool().Draw(t, "bonus") {
			b = Paper(rapid.Float64Range(0, 0.5).Draw(t, "γ"))
		}
		p, naive := NewSuccessiveElimination(k, w, b, nil), &eliminator{w, b, map[int]bool{}}
		s := NewState(k)
		for s.Round = 1; s.Round <= 80; s.Round++ {
			s.Eligible = nil
			if rapid.IntRange(0, 3).Draw(t, "not all are eligible") == 0 {
				s.Eligible = drawEligible(t, k)
			}
			want := naive.choose(s)
			got := p.Select(s)
			for i, a := range p.active {
				if a == naive.gone[i] {
					t.Fatalf("round %d: arm %d is active: %v, and gone: %v", s.Round, i, a, naive.gone[i])
				}
			}
			if got != want {
				t.Fatalf("round %d: arm %d, want %d of %+v", s.Round, got, want, s)
			}
			s.Played[got]++
			if rapid.Bool().Draw(t, "released") {
				s.Pulls[got] = s.Played[got]
				s.Sums[got] = float64(s.Pulls[got]) * rapid.Float64Range(0, 1).Draw(t, "mean")
			}
			p.Observe(s, got)
		}
	})
}
