package counter

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
)

// Costs per row at ε = 1 after N rows, rounded to 4 decimals, and Σc²/N: every row
// n makes one node, with the w rows up to n; the nodes listed by Python 3.11 with
//
//	def costs(N):
//	    c = [0]*N
//	    for n in range(1, N + 1):
//	        k = n.bit_length() - 1
//	        r = n - 2**k
//	        w, share = (r & -r, 2*k) if r else (max(n//2, 1), 2)
//	        for i in range(n - w, n): c[i] += 1/share
//	    return c
//	for N in (7, 8, 16, 25): print([round(x, 4) for x in costs(N)])
//	for N in (25, 100, 500): print(N, round(sum(x*x for x in costs(N))/N, 6))
func TestHybridCostVectors(t *testing.T) {
	h := newTestHybrid(t, "1", 20)
	sixteen := []float64{.5, .5, 1, .5, 1, .75, .75, .5, 1, .8333, .8333, .6667, .8333, .6667, .6667, .5}
	for _, tt := range []struct {
		n    int64
		want []float64
	}{
		{7, []float64{.5, .5, 1, .5, .5, .25, .25}},
		{8, []float64{.5, .5, 1, .5, 1, .75, .75, .5}},
		{16, sixteen},
		{25, append(append([]float64(nil), sixteen...), .5, .375, .375, .25, .375, .25, .25, .125, .125)},
	} {
		for i, want := range tt.want {
			got := h.Cost(int64(i+1), tt.n).Float()
			if math.Abs(got-want) > 5e-5 {
				t.Errorf("row %d of %d costs %v, want %v", i+1, tt.n, got, want)
			}
		}
	}
	// Σc²/(nε²), to 6 decimals.
	for n, want := range map[int64]float64{25: .387292, 100: .395667, 500: .328018} {
		if got := sumSquares(h, n) / float64(n); math.Abs(got-want) > 5e-7 {
			t.Errorf("Σc²/n at %d: %v, want %v", n, got, want)
		}
	}
}

func sumSquares(h *hybrid, n int64) float64 {
	return ledger.Account(h, []int64{n}, nil).SumSquares()
}

func TestHybridCostSpecialCases(t *testing.T) {
	h := newTestHybrid(t, "1", 20)
	for _, rows := range [][2]int64{{0, 5}, {6, 5}, {-1, 5}, {1, 0}} {
		if c := h.Cost(rows[0], rows[1]); !c.IsZero() {
			t.Errorf("row %d of %d costs %s, want 0", rows[0], rows[1], c)
		}
	}
	if h.Levels(0) != nil || h.Levels(-1) != nil || h.Releases(0) != nil {
		t.Error("an empty stream has levels or releases")
	}
	if c := h.Cost(1<<62+1, math.MaxInt64); c.IsZero() {
		t.Error("a row above 2^62 costs nothing")
	}
}

// The closed form is the histogram of Cost, for every length below 600, and
// counts all rows at lengths where nobody can look at single rows.
func TestHybridLevelsAreTheHistogramOfCost(t *testing.T) {
	h := newTestHybrid(t, "0.3", 20)
	for N := range int64(600) {
		var want []ledger.Level
		for n := int64(1); n <= N; n++ {
			want = append(want, ledger.Level{Cost: h.Cost(n, N), Rows: 1})
		}
		if diff := cmp.Diff(ledger.Merge(want), h.Levels(N)); diff != "" {
			t.Fatalf("N = %d (-histogram +closed form):\n%s", N, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		N := rapid.Int64Range(1, math.MaxInt64>>1).Draw(t, "N")
		var rows int64
		levels := h.Levels(N)
		for _, l := range levels {
			rows += l.Rows
		}
		if rows != N {
			t.Fatalf("levels of %d rows hold %d", N, rows)
		}
		if size := len(levels); size > 64*64 {
			t.Fatalf("%d levels for %d rows", size, N)
		}
	})
}

// No row of any stream costs more than the declared ε, and some row costs
// exactly ε once four rows are in.
func TestHybridNeverCostsMoreThanEpsilon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := big.NewRat(rapid.Int64Range(1, 500).Draw(t, "num"), rapid.Int64Range(1, 500).Draw(t, "den"))
		c, err := New(Spec{Name: "hybrid", Epsilon: eps})
		if err != nil {
			t.Fatal(err)
		}
		N := rapid.Int64Range(1, 1<<39).Draw(t, "N")
		n := rapid.Int64Range(1, N).Draw(t, "n")
		if cost := c.Cost(n, N); cost.Cmp(c.Epsilon()) > 0 {
			t.Fatalf("row %d of %d costs %s, above ε = %s", n, N, cost, c.Epsilon())
		}
		run := ledger.Account(c, []int64{N}, nil)
		if over := run.Realized().Cmp(c.Epsilon()); over > 0 || (N >= 4 && over != 0) {
			t.Fatalf("%d rows realise %s of ε = %s", N, run.Realized(), c.Epsilon())
		}
	})
}

// The ledger's two descriptions agree: Σ over rows of the cost is Σ over
// releases of rows held × ε of a release, which for one-row sums is checked
// by counting rows of nodes one by one.
func TestHybridCostsAreCoveredByReleases(t *testing.T) {
	h := newTestHybrid(t, "1", 20)
	for N := int64(1); N <= 200; N++ {
		total := ledger.Loss{}
		for n := int64(1); n <= N; n++ {
			total = total.Add(h.Cost(n, N))
		}
		nodes := ledger.Loss{}
		for end := int64(1); end <= N; end++ { // each row ends one node
			k, r := segment(end)
			switch {
			case end == 1:
				nodes = nodes.Add(h.node(0))
			case r == 0:
				nodes = nodes.Add(h.node(0).Times(end / 2))
			default:
				nodes = nodes.Add(h.node(k).Times(r & -r))
			}
		}
		if !total.Equal(nodes) {
			t.Fatalf("N = %d: rows cost %s, nodes charge %s", N, total, nodes)
		}
		var count int64
		for _, f := range h.Releases(N) {
			count += f.Count
			if product := new(big.Rat).Mul(f.Scale, f.Epsilon.Rat()); product.Cmp(big.NewRat(1, 1)) != 0 {
				t.Fatalf("%s: scale × ε = %s, want 1", f.Name, product)
			}
		}
		if count != N {
			t.Fatalf("N = %d: %d releases", N, count)
		}
	}
}
