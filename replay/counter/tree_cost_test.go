package counter

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
)

// Every row of every stream, against a list of the nodes that its sums use.
func TestTreeCostCountsUsedNodes(t *testing.T) {
	for _, tt := range []struct {
		k int64
		h int
	}{{3, 1}, {3, 2}, {3, 5}, {5, 1}, {5, 2}, {5, 3}, {7, 2}, {9, 2}, {13, 2}} {
		c := shapedTree(t, big.NewRat(3, 7), tt.k, tt.h)
		used := map[span]bool{}
		cost := make([]int64, power(tt.k, tt.h)+1) // nodes that hold row n
		for size := int64(1); size <= c.horizon; size++ {
			for v := range c.spans(size) {
				for n := v.from + 1; n <= v.to && !used[v]; n++ {
					cost[n]++
				}
				used[v] = true
			}
			var levels []ledger.Level
			for n := int64(1); n <= size; n++ {
				want := c.loss().Times(cost[n])
				if got := c.Cost(n, size); !got.Equal(want) {
					t.Fatalf("k = %d, h = %d: row %d of %d costs %s, want %s", tt.k, tt.h, n, size, got, want)
				}
				levels = append(levels, ledger.Level{Cost: want, Rows: 1})
			}
			if diff := cmp.Diff(ledger.Merge(levels), c.Levels(size)); diff != "" {
				t.Fatalf("k = %d, h = %d, N = %d (-rows +closed form):\n%s", tt.k, tt.h, size, diff)
			}
			if r := c.Releases(size); r[0].Count != int64(len(used)) {
				t.Fatalf("k = %d, h = %d, N = %d: %d releases, want %d", tt.k, tt.h, size, r[0].Count, len(used))
			}
		}
	}
}

// With k = 5, T = 12 and b = 2/ε the nodes of rows 4, 5, 9 and 10 are first
// used before these rows arrive, and rows 3, 8 and 11, 12 are under a middle
// child on one level; own derivation, internally reviewed.
func TestTreeChargesRowsThatArriveAfterFirstUse(t *testing.T) {
	c := shapedTree(t, big.NewRat(1, 1), 5, 2)
	for n, want := range []string{"1", "1", "1/2", "1", "1", "1", "1", "1/2", "1", "1", "1/2", "1/2"} {
		if got := c.Cost(int64(n+1), 12).String(); got != want {
			t.Errorf("row %d of 12 costs %s, want %s", n+1, got, want)
		}
	}
	if c.Epsilon().String() != "1" {
		t.Errorf("ε = %s", c.Epsilon())
	}
}

// No row costs more than ε, row 1 attains it, and levels of streams too long to
// look at row by row hold all rows.
func TestTreeCostStaysWithinEpsilon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := big.NewRat(rapid.Int64Range(1, 500).Draw(t, "num"), rapid.Int64Range(1, 500).Draw(t, "den"))
		T := rapid.Int64Range(1, 1<<39).Draw(t, "T")
		c, err := New(Spec{Name: "tree", Epsilon: eps, Horizon: T, Sensitivity: big.NewRat(1, 1), Bound: big.NewRat(3, 2)})
		if err != nil {
			t.Fatal(err)
		}
		size := rapid.Int64Range(1, T).Draw(t, "size")
		n := rapid.Int64Range(1, size).Draw(t, "n")
		if cost := c.Cost(n, size); cost.Cmp(c.Epsilon()) > 0 {
			t.Fatalf("row %d of %d costs %s, above ε = %s", n, size, cost, c.Epsilon())
		}
		if want := ledger.NewLoss(new(big.Rat).Mul(eps, big.NewRat(3, 2))); !c.Epsilon().Equal(want) || !c.Cost(1, T).Equal(want) {
			t.Fatalf("ε = %s, row 1 of %d costs %s, want %s", c.Epsilon(), T, c.Cost(1, T), want)
		}
		var rows int64
		for _, l := range c.Levels(size) {
			rows += l.Rows
		}
		if rows != size {
			t.Fatalf("levels of %d rows hold %d", size, rows)
		}
	})
}

// The levels of a long stream whose k and h are those that New chooses, row by
// row.
func TestTreeLevelsOfManyRows(t *testing.T) {
	c := newTestTree(t, big.NewRat(1, 4), 300_000)
	const size = 200_003
	counts := map[string]int64{}
	for n := int64(1); n <= size; n++ {
		counts[c.Cost(n, size).String()]++
	}
	levels := c.Levels(size)
	if len(levels) != len(counts) {
		t.Errorf("%d levels, want %d", len(levels), len(counts))
	}
	for _, l := range levels {
		if counts[l.Cost.String()] != l.Rows {
			t.Errorf("cost %s: %d rows, want %d", l.Cost, l.Rows, counts[l.Cost.String()])
		}
	}
}

func TestTreeCostSpecialCases(t *testing.T) {
	c := newTestTree(t, big.NewRat(1, 1), 100)
	for _, rows := range [][2]int64{{0, 5}, {6, 5}, {-1, 5}, {1, 0}, {101, 200}} {
		if cost := c.Cost(rows[0], rows[1]); !cost.IsZero() {
			t.Errorf("row %d of %d costs %s, want 0", rows[0], rows[1], cost)
		}
	}
	if !c.Cost(7, 200).Equal(c.Cost(7, 100)) || c.Releases(200)[0].Count != c.Releases(100)[0].Count {
		t.Error("a row above the horizon changes the ledger")
	}
	var rows int64
	for _, l := range c.Levels(200) {
		rows += l.Rows
	}
	if rows != 200 {
		t.Errorf("levels of 200 rows hold %d", rows)
	}
	if c.Levels(0) != nil || c.Releases(0) != nil || c.Levels(-1) != nil {
		t.Error("an empty stream has levels or releases")
	}
}

// With k = 3 and h = 2 row 3 of a stream lies in the nodes (0, 3] and (2, 3] with
// noises X and X'. X − X' is in the sum of two rows, X in that of three. K arms
// have two rows each, and the next row goes to that with the least |X − X'|. What
// the two sums tell of it is at least the Kullback–Leibler divergence of two of
// its rewards, which ρ bounds; here it is summed over all values. With one arm it
// is h·ρ(ε/h) and with two arms more.
func TestTreeRhoHoldsWhereOutputsPlaceRows(t *testing.T) {
	const units, most = 4, 400 // of the grid in a reward; beyond, at q^most = e^−50, nothing is summed
	c := shapedTree(t, big.NewRat(1, 1), 3, 2)
	loss := c.loss().Float() / units
	q := math.Exp(-loss)
	told := func(d int) (p, divergence float64) {
		for x := -most; x <= most; x++ {
			size := func(x int) float64 { return math.Abs(float64(x)) + math.Abs(float64(x-d)) }
			at := (1 - q) / (1 + q) * (1 - q) / (1 + q) * math.Exp(-loss*size(x))
			p += at
			divergence += at * loss * (size(x-units) - size(x))
		}
		return p, divergence
	}
	var p, divergence [most + 1]float64 // by |X − X'|
	for d := -most; d <= most; d++ {
		at, of := told(d)
		p[max(d, -d)] += at
		divergence[max(d, -d)] += of
	}
	single := 2 * ledger.LaplaceRho(.5, .5/units)
	for _, arms := range []float64{1, 2, 50} {
		var total, tail float64
		for d := most; d >= 0; d-- { // the least of K is d
			above := tail
			tail += p[d]
			total += (math.Pow(tail, arms) - math.Pow(above, arms)) * divergence[d] / p[d]
		}
		if arms == 1 && math.Abs(total-single) > 1e-9 || arms > 1 && total < single*1.2 {
			t.Errorf("%v arms: %v, where one arm has %v", arms, total, single)
		}
		if total > c.Rho() {
			t.Errorf("%v arms: %v is above ρ = %v", arms, total, c.Rho())
		}
	}
}

// A row is routed by what nodes drawn ahead have released; k = 9, h = 2, ε = 1 on
// the grid 1. From row 5 on, the sum has the noise of node (0, 9] less that of
// leaf 9, drawn before row 9 arrives. Of ten arms with eight rows each, the next
// row goes to the one where this difference is nearest to 0: there it changes
// both nodes, and tells them apart no longer. The Kullback-Leibler divergence
// of what follows is a lower bound on ρ; Python 3.11, numpy 2.4.6:
//
//	e = .5; n = np.arange(-240, 241); f = np.exp(-e*abs(n)); f /= f.sum()
//	g = [f*np.exp(-e*abs(n-v)) for v in range(101)]; p = np.array([x.sum() for x in g])
//	p = p/(p[0]+2*p[1:].sum()); g = [x/x.sum() for x in g]
//	kl = np.array([(x[20:461]*np.log(x[20:461]/x[19:460])).sum() for x in g])
//	above = np.append(2*np.cumsum(p[::-1])[::-1], 0); above[0] = 1
//	print(((above[:-1]**10-above[1:]**10)*kl).sum())
//
// The sum over the nodes of a row, 2·ρ(1/2), is 0.2449.
func TestTreeRhoCoversNoiseDrawnAhead(t *testing.T) {
	c := coarseTree(t, 9, 2)
	if rho := c.Rho(); rho < 0.42485866726353805 || rho > ledger.PureRho(1) {
		t.Errorf("ρ = %v, want at least 0.42485866726353805 and at most tanh(1/2)", rho)
	}
	if rho, want := coarseTree(t, 9, 1).Rho(), ledger.LaplaceRho(1, 1); rho != want {
		t.Errorf("one level, all of whose noise is fresh: ρ = %v, want %v", rho, want)
	}
}

// coarseTree is a tree of a given shape with ε = 1 on the grid of whole numbers.
func coarseTree(t *testing.T, k int64, h int) *tree {
	t.Helper()
	c, err := newTree(Spec{Name: "tree", Epsilon: big.NewRat(1, 1), Grid: big.NewRat(1, 1), Horizon: 1})
	if err != nil {
		t.Fatal(err)
	}
	shaped := c.(*tree)
	shaped.k, shaped.h, shaped.horizon = k, h, (power(k, h)-1)/2
	if err := shaped.fill(shaped.epsilon); err != nil {
		t.Fatal(err)
	}
	return shaped
}
