package policy

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// seen returns a state whose arms have these rows and sums, of which a policy
// has been told.
func seen(p Policy, pulls []int64, sums []float64) *State {
	s := &State{Round: 1, Played: append([]int64(nil), pulls...), Pulls: pulls, Sums: sums}
	for i, n := range pulls {
		s.Round += n
		p.Observe(s, i)
	}
	return s
}

func TestUCBAmongEligibleArms(t *testing.T) {
	for _, tt := range []struct {
		name     string
		played   []int64
		pulls    []int64
		sums     []float64
		eligible []bool
		want     int
	}{
		{"the best", []int64{9, 9, 9}, []int64{9, 9, 9}, []float64{1, 8, 5}, nil, 1},
		{"the best is not eligible", []int64{9, 9, 9}, []int64{9, 9, 9}, []float64{1, 8, 5}, []bool{true, false, true}, 2},
		{"one arm only", []int64{9, 9, 9}, []int64{9, 9, 9}, []float64{1, 8, 5}, []bool{true, false, false}, 0},
		{"an unknown arm is not eligible", []int64{9, 9, 0}, []int64{9, 9, 0}, []float64{1, 8, 0}, []bool{true, true, false}, 1},
		{"an unknown arm", []int64{9, 9, 0}, []int64{9, 9, 0}, []float64{1, 8, 0}, nil, 2},
		{"of unknown arms the one played least", []int64{3, 2, 2, 9}, []int64{0, 0, 0, 9}, []float64{0, 0, 0, 9}, nil, 1},
		{"of those the eligible one", []int64{3, 2, 2, 9}, []int64{0, 0, 0, 9}, []float64{0, 0, 0, 9}, []bool{true, false, true, true}, 2},
		{"of equals the first", []int64{4, 4, 4}, []int64{4, 4, 4}, []float64{1, 2, 2}, nil, 1},
		{"of eligible equals the first", []int64{4, 4, 4}, []int64{4, 4, 4}, []float64{2, 2, 2}, []bool{false, true, true}, 1},
	} {
		u := NewUCB(len(tt.pulls), Width{C: 2}, nil, nil)
		s := seen(u, tt.pulls, tt.sums)
		s.Played, s.Eligible = tt.played, tt.eligible
		if got := u.Select(s); got != tt.want {
			t.Errorf("%s: arm %d, want %d", tt.name, got, tt.want)
		}
		p := make([]float64, len(tt.pulls))
		u.Propensities(s, p)
		if p[tt.want] != 1 {
			t.Errorf("%s: propensities %v", tt.name, p)
		}
	}
}

func TestUCBSeededTies(t *testing.T) {
	const quarter = 1 << 62
	src := &script{words: []uint64{0, quarter, 2*quarter - 1, 2 * quarter, 3 * quarter, 5, 7}}
	u := NewUCB(4, Width{C: 2}, nil, src)
	s := seen(u, []int64{4, 4, 4, 4}, []float64{2, 2, 1, 2})
	p := make([]float64, 4)
	for i, want := range []int{0, 0, 1, 1, 3} { // of 3, at ⌊word·3/2⁶⁴⌋ = 0, 0, 1, 1, 2
		u.Propensities(s, p)
		if got := u.Select(s); got != want || src.next != i+1 {
			t.Errorf("word %d: arm %d after %d words, want %d", i, got, src.next, want)
		}
	}
	if diff := cmp.Diff([]float64{1.0 / 3, 1.0 / 3, 0, 1.0 / 3}, p); diff != "" {
		t.Error(diff)
	}
	s.Eligible = []bool{false, false, true, false}
	if got := u.Select(s); got != 2 || src.next != 6 {
		t.Errorf("the only eligible arm: %d after %d words", got, src.next)
	}
	s.Eligible, s.Pulls[0], s.Pulls[1] = nil, 0, 0
	if got := u.Select(s); got != 0 || src.next != 7 {
		t.Errorf("arms without rows: %d after %d words, want the first after 7", got, src.next)
	}
	if !u.Random() {
		t.Error("seeded ties are drawn")
	}
}

// Arms that were played and of which nothing is released yet have no index
// that is not a number.
func TestUCBBeforeTheFirstRelease(t *testing.T) {
	u := NewUCB(3, Width{Delta: 0.05}, flat{}, nil)
	s := NewState(3)
	for s.Round = 1; s.Round <= 12; s.Round++ {
		arm := u.Select(s)
		if want := int(s.Round-1) % 3; arm != want {
			t.Errorf("round %d: arm %d, want %d, in turn", s.Round, arm, want)
		}
		s.Played[arm]++
		u.Observe(s, arm)
	}
	for i, v := range u.indices(u.rootAt(s.Round)) {
		if math.IsNaN(v) {
			t.Errorf("arm %d has index %v", i, v)
		}
	}
}

// The short ways of rounds in which everything is known and eligible return
// what the long way does, in and outside the table, among equals and where the
// width decides.
func TestUCBShortWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 9).Draw(t, "k")
		w := Width{C: 2}
		if rapid.Bool().Draw(t, "delta") {
			w = Width{Delta: 0.05}
		}
		most := rapid.Int64Range(1, 1_000_000).Draw(t, "most")
		pulls, sums := make([]int64, k), make([]float64, k)
		for i := range pulls {
			pulls[i] = rapid.Int64Range(max(1, most-3), most).Draw(t, "pulls")
			sums[i] = float64(most/2 + rapid.Int64Range(-2, 2).Draw(t, "sum"))
		}
		round := rapid.Int64Range(1, 1<<rapid.IntRange(1, 40).Draw(t, "bits")).Draw(t, "round")
		own, shared, long := NewUCB(k, w, nil, nil), NewUCB(k, w.Shared(), nil, nil), NewUCB(k, w, nil, nil)
		s := seen(own, pulls, sums)
		seen(shared, pulls, sums)
		seen(long, pulls, sums)
		for s.Round = round; s.Round < round+130; s.Round += 3 {
			a, b := own.Select(s), shared.Select(s)
			s.Eligible = make([]bool, k)
			for i := range s.Eligible {
				s.Eligible[i] = true
			}
			if want := long.Select(s); a != want || b != want {
				t.Fatalf("round %d: arm %d without and %d with a table, %d the long way", s.Round, a, b, want)
			}
			s.Eligible = nil
		}
	})
}

// A race between two arms whose order turns within one block of rounds: the
// bounds must not decide it. Arm 1 has the lower mean and fewer rows, and m is
// such that the indices cross at round 20,030 of a block that begins at 20,000.
func TestUCBRaceThatTurns(t *testing.T) {
	u := NewUCB(2, Width{C: 2}, nil, nil)
	s := seen(u, []int64{10_000, 100}, []float64{5000, 10})
	w := u.width.root(20_030)
	u.arms[0].mean = u.arms[1].mean + w*(u.arms[1].root-u.arms[0].root)
	for s.Round = 20_000; s.Round < 20_064; s.Round++ {
		want := 0
		if u.width.root(s.Round)*(u.arms[1].root-u.arms[0].root) > u.arms[0].mean-u.arms[1].mean+1e-15 {
			want = 1
		}
		if got := u.Select(s); got != want {
			t.Errorf("round %d: arm %d, want %d", s.Round, got, want)
		}
	}
}

// The bounds of a block hold for √w of its rounds.
func TestUCBBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := NewUCB(1, Width{C: rapid.Float64Range(0.01, 50).Draw(t, "c")}, nil, nil)
		if rapid.Bool().Draw(t, "delta") {
			u.width = Width{Delta: rapid.Float64Range(1e-9, 0.999999).Draw(t, "δ")}
		}
		from := rapid.Int64Range(1, 1<<rapid.IntRange(1, 50).Draw(t, "bits")).Draw(t, "from")
		u.rootAt(from)
		for r := from; r < from+ahead; r++ {
			if w := u.rootAt(r); !(u.low <= w && w <= u.high) {
				t.Fatalf("round %d: √w = %v outside [%v, %v]", r, w, u.low, u.high)
			}
		}
	})
}

// A table is filled from several runs at once, and every run gets the same.
func TestUCBSharedWidths(t *testing.T) {
	w := Width{C: 2}.Shared()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			u := NewUCB(2, w, nil, nil)
			for r := int64(1); r < 20_000; r += 7 {
				if got, want := u.rootAt(r), w.root(r); got != want {
					t.Errorf("round %d: √w = %v, want %v", r, got, want)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkUCBEligible(b *testing.B) {
	u := NewUCB(5, Width{C: 2}, nil, rand.NewPCG(3, 4))
	s := NewState(5)
	s.Eligible = []bool{true, true, false, true, true}
	src := rand.NewPCG(1, 2)
	for b.Loop() {
		arm := u.Select(s)
		s.Round++
		s.Pulls[arm]++
		s.Sums[arm] += float64(src.Uint64() & 1)
		u.Observe(s, arm)
	}
}
