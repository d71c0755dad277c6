package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type script struct {
	words []uint64
	next  int
}

func (s *script) Uint64() uint64 {
	s.next++
	return s.words[s.next-1]
}

func TestUniformFollowsItsScript(t *testing.T) {
	for _, tt := range []struct {
		name  string
		k     int
		words []uint64
		want  int
		drawn int
	}{
		{"one arm draws nothing", 1, nil, 0, 0},
		{"two arms take one bit", 2, []uint64{0xfffffffffffffff1}, 1, 1},
		{"three arms reject 3", 3, []uint64{7, 0xf3, 0xfe}, 2, 3},
		{"five arms keep three bits", 5, []uint64{5, 6, 7, 12}, 4, 4},
	} {
		s := &script{words: tt.words}
		u := NewUniform(s)
		if got := u.Select(NewState(tt.k)); got != tt.want || s.next != tt.drawn {
			t.Errorf("%s: arm %d after %d words, want %d after %d", tt.name, got, s.next, tt.want, tt.drawn)
		}
		p := make([]float64, tt.k)
		u.Propensities(NewState(tt.k), p)
		for _, v := range p {
			if v != 1/float64(tt.k) {
				t.Errorf("%s: propensities %v", tt.name, p)
			}
		}
	}
	if u := NewUniform(nil); !u.Random() || u.ReadsRewards() {
		t.Error("uniform is random and reads no rewards")
	}
}

// flat is a bonus of n/10 for a sum of n rows.
type flat struct{}

func (flat) Gamma(n int64) float64 { return float64(n) / 10 }

// index is the index of UCB's comment, written for reading.
func index(w Width, b Bonus, t, n int64, sum float64) float64 {
	if n == 0 {
		return math.Inf(1)
	}
	width := math.Sqrt(w.C * math.Log(float64(t)) / float64(n))
	if w.Delta > 0 {
		width = math.Sqrt(2 * math.Log(float64(t)/w.Delta) / float64(n))
	}
	x := sum/float64(n) + width
	if b != nil {
		x += b.Gamma(n) / float64(n)
	}
	return x
}

// On random histories UCB plays an arm whose index, written for reading, is
// the largest up to rounding, and the first of equal ones.
func TestUCBPlaysTheLargestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "k")
		w := Width{Delta: rapid.Float64Range(0.001, 0.999).Draw(t, "delta")}
		if rapid.Bool().Draw(t, "c") {
			w = Width{C: rapid.Float64Range(0.1, 4).Draw(t, "c")}
		}
		var b Bonus
		if rapid.Bool().Draw(t, "bonus") {
			b = flat{}
		}
		u := NewUCB(k, w, b, nil)
		s := NewState(k)
		for s.Round = 1; s.Round <= 150; s.Round++ {
			got := u.Select(s)
			for i := range k {
				mine, other := index(w, b, s.Round, s.Pulls[got], s.Sums[got]), index(w, b, s.Round, s.Pulls[i], s.Sums[i])
				if other > mine+1e-12*math.Abs(mine) {
					t.Fatalf("round %d: arm %d with index %v, arm %d has %v", s.Round, got, mine, i, other)
				}
				if i < got && s.Pulls[i] == s.Pulls[got] && s.Sums[i] == s.Sums[got] {
					t.Fatalf("round %d: arm %d played, arm %d before it is equal", s.Round, got, i)
				}
			}
			if s.Round <= int64(k) && got != int(s.Round-1) {
				t.Fatalf("round %d of the first %d plays arm %d", s.Round, k, got)
			}
			arm := got
			if s.Round > int64(k) { // another history than its own
				arm = rapid.IntRange(0, k-1).Draw(t, "arm")
			}
			s.Pulls[arm]++
			s.Sums[arm] += rapid.Float64Range(-1, 1).Draw(t, "released")
			u.Observe(s, arm)
		}
	})
}

func TestUCBPropensities(t *testing.T) {
	u := NewUCB(3, Width{C: 2}, nil, nil)
	s, p := NewState(3), []float64{9, 9, 9}
	s.Pulls[0], s.Sums[0] = 1, 1
	u.Observe(s, 0)
	u.Propensities(s, p)
	if diff := cmp.Diff([]float64{0, 1, 0}, p); diff != "" {
		t.Error(diff)
	}
	if u.Random() || !u.ReadsRewards() {
		t.Error("ucb draws nothing and reads rewards")
	}
}

// Widths are found in blocks; a runner that jumps gets the same ones.
func TestUCBWidthsDoNotDependOnWhenTheyAreAskedFor(t *testing.T) {
	for _, w := range []Width{{Delta: 0.1}, Width{Delta: 0.1}.Shared()} {
		u := NewUCB(1, w, nil, nil)
		for _, r := range []int64{1, 2, 300, 5, 1023, 1024, 1 << 14, 1<<14 - 1, 1 << 40, 64} {
			if got, want := u.rootAt(r), w.root(r); got != want {
				t.Fatalf("round %d: √w = %v, want %v", r, got, want)
			}
		}
	}
}

func BenchmarkUCB(b *testing.B) {
	u := NewUCB(5, Width{C: 2}, nil, nil)
	s := NewState(5)
	src := rand.NewPCG(1, 2)
	for b.Loop() {
		arm := u.Select(s)
		s.Round++
		s.Pulls[arm]++
		s.Sums[arm] += float64(src.Uint64() & 1)
		u.Observe(s, arm)
	}
}

// word returns the word whose ⌊word/2¹¹⌋·2⁻⁵³ is u, a multiple of 2⁻⁵³.
func word(u float64) uint64 { return uint64(u*0x1p53) << 11 }
