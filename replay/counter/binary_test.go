package counter

import (
	"math"
	"math/big"
	"testing"

	"banditaudit/replay/ledger"
)

// The mechanism as Chan, Shi and Song write it, with arrays α and α̂.
func TestBinaryFollowsItsDefinition(t *testing.T) {
	c := built(t, Spec{Name: "binary", Epsilon: big.NewRat(3, 10), Horizon: 100}).(*binaryTree)
	law, _ := newDiscreteLaplace(big.NewRat(7*10<<20, 3)) // ⌊log2 100⌋ + 1 = 7 levels
	follows(t, c, &c.lattice, 100, func() plain {
		var alpha, hat [7]int64
		return func(rows []int64, noise func(discreteLaplace) int64) (sum, n int64) {
			n = int64(len(rows))
			i := 0
			for n>>i&1 == 0 {
				i++
			}
			alpha[i] = rows[n-1]
			for j := range i {
				alpha[i] += alpha[j]
				alpha[j], hat[j] = 0, 0
			}
			hat[i] = alpha[i] + noise(law)
			for j, v := range hat {
				if n>>j&1 == 1 {
					sum += v
				}
			}
			return sum, n
		}
	})
}

// Variance 2(L/ε)²·popcount(t) for T = 16, L = 5, ε = 1; own derivation,
// internally reviewed.
func TestBinaryVariance(t *testing.T) {
	c := built(t, Spec{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 16})
	for i, want := range []float64{50, 50, 100, 50, 100, 100, 150, 50, 100, 100, 150, 100, 150, 150, 200, 50} {
		if got := variance(c.Noise(int64(i + 1))); got != want {
			t.Errorf("variance of %d rows %v, want %v", i+1, got, want)
		}
	}
	if c.Noise(17) != nil || c.Shape(17) != 0 {
		t.Error("a sum of more rows than the horizon has noise")
	}
	spread(t, c, 7, 3, 150)
	spread(t, c, 16, 8, 50)
}

// The largest cost and Σc²/n for T = 500, ε = 1, where L = 9: the nodes of all
// sums, listed by Python 3.11 with
//
//	for N in (25, 100, 500):
//	    nodes, held = set(), [0]*(N + 1)
//	    for t in range(1, N + 1):
//	        a = 0
//	        for w in (256, 128, 64, 32, 16, 8, 4, 2, 1):
//	            if t & w: nodes.add((a, a + w)); a += w
//	    for a, b in nodes:
//	        for n in range(a + 1, b + 1): held[n] += 1/9
//	    print(N, round(max(held), 4), round(sum(c*c for c in held)/N, 6))
func TestBinaryCostVectors(t *testing.T) {
	c := built(t, Spec{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 500})
	for _, tt := range []struct {
		size            int64
		largest, square float64
	}{{25, .5556, .107160}, {100, .7778, .193827}, {500, 1, .282914}} {
		run := ledger.Account(c, []int64{tt.size}, nil)
		if got := run.Realized().Float(); math.Abs(got-tt.largest) > 5e-5 {
			t.Errorf("the largest cost of %d rows is %v, want %v", tt.size, got, tt.largest)
		}
		if got := run.SumSquares() / float64(tt.size); math.Abs(got-tt.square) > 5e-7 {
			t.Errorf("Σc²/n of %d rows is %v, want %v", tt.size, got, tt.square)
		}
	}
}

// Row n costs ε/L for each node that a sum of at most size rows uses and that
// holds it, with the nodes of every sum listed by its binary digits.
func TestBinaryCostCountsNodes(t *testing.T) {
	const horizon = 130
	c := built(t, Spec{Name: "binary", Epsilon: big.NewRat(8, 1), Horizon: horizon}) // ε/L = 1
	type node struct{ from, to int64 }
	used := map[node]bool{}
	for size := int64(1); size <= horizon; size++ {
		for from, bit := int64(0), int64(1)<<7; bit > 0; bit >>= 1 {
			if size&bit != 0 {
				used[node{from, from + bit}] = true
				from += bit
			}
		}
		for n := int64(1); n <= size; n++ {
			var want int64
			for v := range used {
				if v.from < n && n <= v.to {
					want++
				}
			}
			if got := c.Cost(n, size); !got.Equal(ledger.NewLoss(big.NewRat(want, 1))) {
				t.Fatalf("row %d of %d costs %s, want %d", n, size, got, want)
			}
		}
		if got := c.Releases(size)[0].Count; got != int64(len(used)) {
			t.Fatalf("%d releases of %d rows, want %d", got, size, len(used))
		}
	}
}

// Two levels are needed at T = 2: with log2 T = 1 row 1 would cost 2ε.
func TestBinaryLevels(t *testing.T) {
	for horizon, want := range map[int64]int{1: 1, 2: 2, 3: 2, 4: 3, 500: 9, 1 << 40: 41} {
		if got := built(t, Spec{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: horizon}).(*binaryTree).levels; got != want {
			t.Errorf("T = %d: %d levels, want %d", horizon, got, want)
		}
	}
}

// The last row of the longest stream has a slot of its own.
func TestBinaryLongestStream(t *testing.T) {
	c := built(t, Spec{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 1 << 40}).(*binaryTree)
	s := &binaryStream{counter: c, src: chacha(1), rows: 1<<40 - 1, sum: 12}
	sum, rows, err := s.add(5)
	if err != nil || rows != 1<<40 || s.nodes.released[40] != sum || s.nodes.released[root] != 0 {
		t.Errorf("row 2^40: %d of %d rows (%v)", sum, rows, err)
	}
	if _, _, err := s.add(5); err == nil {
		t.Error("row 2^40 + 1 was taken")
	}
}

func BenchmarkBinaryAdd(b *testing.B) {
	add(b, Spec{Name: "binary", Epsilon: big.NewRat(1, 4), Horizon: 1 << 40})
}
