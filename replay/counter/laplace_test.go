package counter

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plain is a mechanism as its definition says it, with the rows kept: it
// returns what is released after the last of rows, and how many rows are in it.
// noise draws once.
type plain func(rows []int64, noise func(discreteLaplace) int64) (sum, n int64)

// follows checks that a counter releases what its definition does, on any
// rewards and from the same draws in the same order.
func follows(t *testing.T, c Counter, l *lattice, most int, fresh func() plain) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Byte().Draw(t, "seed")
		src, twin := chacha(seed), chacha(seed)
		noise := func(law discreteLaplace) int64 {
			x, err := law.draw(twin)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		bank, define := c.Bank([]rand.Source{nil, src}), fresh()
		var rows []int64
		for range rapid.IntRange(1, most).Draw(t, "rows") {
			units := rapid.Int64Range(0, int64(l.unit)).Draw(t, "units")
			rows = append(rows, units)
			want, wantRows := define(rows, noise)
			got, gotRows, err := bank.Add(1, float64(units)*l.step)
			if err != nil || got != float64(want)*l.step || gotRows != wantRows {
				t.Fatalf("row %d: released %v of %d rows (%v), want %v of %d", len(rows), got, gotRows, err, float64(want)*l.step, wantRows)
			}
		}
		if src.Uint64() != twin.Uint64() {
			t.Fatal("the counter took other draws than its definition")
		}
	})
}

// spread compares the mean square of the noise in what the counter releases
// after n rows with a variance. The mean square of a sum of Laplace variables
// has a standard error of at most √5·variance/√runs; at 6 of them a right
// counter fails with probability below 10⁻⁷. Seeds are fixed.
func spread(t *testing.T, c Counter, n int64, exact, variance float64) {
	t.Helper()
	const runs = 20_000
	var squares float64
	for run := range runs {
		bank := c.Bank([]rand.Source{rand.NewPCG(uint64(run), 7)})
		var sum float64
		for i := range n {
			var err error
			if sum, _, err = bank.Add(0, float64(i%2)); err != nil {
				t.Fatal(err)
			}
		}
		squares += (sum - exact) * (sum - exact) / runs
	}
	if ratio := squares / variance; ratio < 1-6*0.0158 || ratio > 1+6*0.0158 { // √5/√20000 = 0.0158
		t.Errorf("%s: variance %v after %d rows, want %v", c.Name(), squares, n, variance)
	}
}

// add is a benchmark of Add.
func add(b *testing.B, s Spec) {
	b.Helper()
	b.ReportAllocs()
	bank, rows := built(b, s).Bank([]rand.Source{chacha(1)}), int64(0)
	for b.Loop() {
		if rows == s.Horizon && rows > 0 {
			bank, rows = built(b, s).Bank([]rand.Source{chacha(1)}), 0
		}
		rows++
		if _, _, err := bank.Add(0, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLaplaceFollowsItsDefinition(t *testing.T) {
	c := built(t, Spec{Name: "laplace", Epsilon: big.NewRat(3, 10)}).(*perRow)
	law, _ := newDiscreteLaplace(big.NewRat(10<<20, 3))
	follows(t, c, &c.lattice, 80, func() plain {
		var released []int64
		return func(rows []int64, noise func(discreteLaplace) int64) (sum, n int64) {
			released = append(released, rows[len(rows)-1]+noise(law))
			for _, r := range released {
				sum += r
			}
			return sum, int64(len(released))
		}
	})
}

// Variance 2n/ε².
func TestLaplaceVariance(t *testing.T) {
	c := built(t, Spec{Name: "laplace", Epsilon: big.NewRat(1, 2)})
	for n, want := range map[int64]float64{1: 8, 10: 80, 500: 4000} {
		if got := variance(c.Noise(n)); got != want {
			t.Errorf("variance of %d rows %v, want %v", n, got, want)
		}
	}
	spread(t, c, 10, 5, 80)
}

// A stream ends before the sum of its noises could leave the integers: at
// n·b² = 2^111, or where the grid ends it.
func TestLaplaceStreamIsFull(t *testing.T) {
	for _, tt := range []struct {
		epsilon, grid *big.Rat
		want          int64
	}{
		{big.NewRat(1, 4), big.NewRat(1, 1<<20), 1 << 40},
		{big.NewRat(1, 1<<26), big.NewRat(1, 1<<20), 1 << 19},     // b = 2^46
		{big.NewRat(3, 1<<26), big.NewRat(1, 1<<20), 9 * 1 << 19}, // b = 2^46/3
		{big.NewRat(1, 4), big.NewRat(1, 1<<30), 1 << 30},
		{big.NewRat(1, 4), big.NewRat(1, 1), 1 << 40},
	} {
		c := built(t, Spec{Name: "laplace", Epsilon: tt.epsilon, Grid: tt.grid}).(*perRow)
		if c.most != tt.want {
			t.Errorf("ε = %s, grid %s: %d rows, want %d", tt.epsilon, tt.grid, c.most, tt.want)
		}
	}
	c := built(t, Spec{Name: "laplace", Epsilon: big.NewRat(1, 1)}).(*perRow)
	s := &perRowStream{counter: c, src: chacha(1), rows: c.most}
	if _, _, err := s.add(1); err == nil || !strings.Contains(err.Error(), "grid") {
		t.Errorf("a row after the last one: %v", err)
	}
	for _, release := range []int64{maxRelease + 1<<40, -maxRelease - 1<<40} {
		s = &perRowStream{counter: c, src: chacha(1), release: release}
		if _, _, err := s.add(1); !errors.Is(err, errAborted) {
			t.Errorf("a sum of %d: %v", release, err)
		}
	}
}

func BenchmarkLaplaceAdd(b *testing.B) { add(b, Spec{Name: "laplace", Epsilon: big.NewRat(1, 4)}) }
