package counter

import (
	"cmp"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newTestTree(tb testing.TB, epsilon *big.Rat, horizon int64) *tree {
	tb.Helper()
	c, err := New(Spec{Name: "tree", Epsilon: epsilon, Horizon: horizon})
	if err != nil {
		tb.Fatal(err)
	}
	return c.(*tree)
}

// shapedTree has the k and h of the test and the longest horizon that they
// allow.
func shapedTree(tb testing.TB, epsilon *big.Rat, k int64, h int) *tree {
	tb.Helper()
	c := newTestTree(tb, epsilon, 1)
	c.k, c.h, c.horizon = k, h, (power(k, h)-1)/2
	if err := c.fill(epsilon); err != nil {
		tb.Fatal(err)
	}
	return c
}

// span is a node: rows after from up to to, on a level.
type span struct {
	level    int
	from, to int64
}

// spans returns the nodes of the sum of t rows with their signs, from the
// digits of t + (k^h−1)/2 in the ordinary base-k system, less m each.
func (c *tree) spans(t int64) map[span]int64 {
	nodes := map[span]int64{}
	offset := t + (power(c.k, c.h)-1)/2
	at := int64(0)
	for level := c.h - 1; level >= 0; level-- {
		width := power(c.k, level)
		digit := offset/width%c.k - c.m
		for ; digit > 0; digit-- {
			nodes[span{level, at, at + width}] = 1
			at += width
		}
		for ; digit < 0; digit++ {
			nodes[span{level, at - width, at}] = -1
			at -= width
		}
	}
	return nodes
}

// nodeLedger is the mechanism as it is defined: a noise for every node, drawn
// when it is first used, and the set of nodes that were ever used.
type nodeLedger struct {
	*tree
	noise map[span]int64
	sum   int64
}

func (l *nodeLedger) add(tb testing.TB, t, z int64, src rand.Source) int64 {
	tb.Helper()
	nodes := l.spans(t)
	var fresh []span
	for v := range nodes {
		if _, ok := l.noise[v]; !ok {
			fresh = append(fresh, v)
		}
	}
	slices.SortFunc(fresh, func(a, b span) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.from, b.from)) })
	for _, v := range fresh {
		x, err := l.node.draw(src)
		if err != nil {
			tb.Fatal(err)
		}
		l.noise[v] = x
	}
	l.sum += z
	released := l.sum
	for v, sign := range nodes {
		released += sign * l.noise[v]
	}
	return released
}

// The stream releases, bit for bit and draw for draw, what the mechanism with
// one noise per node releases, and remembers few of them.
func TestTreeStreamEqualsTheNodes(t *testing.T) {
	for _, tt := range []struct {
		k int64
		h int
	}{{3, 1}, {3, 2}, {3, 6}, {5, 1}, {5, 2}, {5, 4}, {7, 3}, {13, 2}, {33, 2}} {
		c := shapedTree(t, big.NewRat(3, 10), tt.k, tt.h)
		src, twin := chacha(4), chacha(4)
		s := c.stream(src)
		nodes := &nodeLedger{tree: c, noise: map[span]int64{}}
		values := rand.New(rand.NewPCG(1, 2))
		for n := int64(1); n <= c.horizon; n++ {
			z := values.Int64N(1<<20 + 1)
			want := nodes.add(t, n, z, twin)
			got, rows, err := s.add(z)
			if err != nil || rows != n || got != want {
				t.Fatalf("k = %d, h = %d, row %d: released %d of %d rows (%v), want %d", tt.k, tt.h, n, got, rows, err, want)
			}
			if r := c.Releases(n); r[0].Count != int64(len(nodes.noise)) {
				t.Fatalf("k = %d, h = %d, row %d: %d releases, want %d", tt.k, tt.h, n, r[0].Count, len(nodes.noise))
			}
		}
		if src.Uint64() != twin.Uint64() {
			t.Fatalf("k = %d, h = %d: the stream did not draw exactly one noise per used node", tt.k, tt.h)
		}
		if _, _, err := s.add(1); err == nil || !strings.Contains(err.Error(), "counter.horizon") {
			t.Fatalf("k = %d, h = %d: a row above the horizon gives %v", tt.k, tt.h, err)
		}
	}
}

// Variance 18·Σ|d_j| of t = 1…13 at ε = 1, k = 5, h = 3; own derivation with
// the digits written out: 3 is 5−2, 13 is 25−2·5−2.
func TestTreeVarianceVector(t *testing.T) {
	c := shapedTree(t, big.NewRat(1, 1), 5, 3)
	for i, want := range []float64{18, 36, 54, 36, 18, 36, 54, 72, 54, 36, 54, 72, 90} {
		if got := variance(c.Noise(int64(i + 1))); got != want {
			t.Errorf("t = %d: variance %v, want %v", i+1, got, want)
		}
	}
	if c.Noise(0) != nil || c.Noise(c.horizon+1) != nil || c.Shape(0) != 0 || c.Shape(c.horizon+1) != 0 {
		t.Error("sums that are never released have noise")
	}
}

// k, h and the mean and largest variance over t ≤ T at ε = 1, the mean rounded
// to a whole number; all odd k < 700 by sums over single t (Python 3.11), a larger
// k having a mean of at least k−1/k (see degree):
//
//	def weight(t, k):
//	    s = 0
//	    while t:
//	        s, t = s + min(t % k, k - t % k), (t + k//2) // k
//	    return s
//	def levels(T, k):
//	    h = 1
//	    while (k**h - 1) // 2 < T: h += 1
//	    return h
//	def variances(T, k): return [2 * levels(T, k)**2 * weight(t, k) for t in range(1, T + 1)]
//	for T in (64, 500, 1024, 10**4, 10**5):
//	    mean, k = min((sum(variances(T, k)) / T, k) for k in range(3, 700, 2))
//	    print(T, k, levels(T, k), mean, max(variances(T, k)))
func TestTreeDegreeVectors(t *testing.T) {
	for _, tt := range []struct {
		horizon, k int64
		h          int
		mean, max  float64
	}{{64, 13, 2, 46, 88}, {500, 33, 2, 126, 248}, {1024, 13, 3, 171, 324}, {10_000, 29, 3, 369, 720}, {100_000, 23, 4, 680, 1312}} {
		c := newTestTree(t, big.NewRat(1, 1), tt.horizon)
		var sum, largest float64
		for n := int64(1); n <= tt.horizon; n++ {
			v := variance(c.Noise(n))
			sum += v
			largest = max(largest, v)
		}
		mean := sum / float64(tt.horizon)
		if c.k != tt.k || c.h != tt.h || mean < tt.mean-0.5 || mean > tt.mean+0.5 || largest != tt.max {
			t.Errorf("T = %d: k = %d, h = %d, variance %v/%v, want %+v", tt.horizon, c.k, c.h, mean, largest, tt)
		}
	}
}

// The search with its bound finds what a search among all odd k ≤ 2T+1 with
// sums over single t finds.
func TestTreeDegreeIsTheBest(t *testing.T) {
	for T := int64(1); T <= 130; T++ {
		var k int64
		var h int
		least := int64(-1)
		for c := int64(3); c <= 2*T+1; c += 2 {
			levels := 1
			for (power(c, levels)-1)/2 < T {
				levels++
			}
			twin := &tree{k: c, m: (c - 1) / 2, h: levels, horizon: T}
			var sum int64
			for n := int64(1); n <= T; n++ {
				sum += twin.weight(n)
			}
			if sum != digits(T, c) {
				t.Fatalf("T = %d, k = %d: Σ|d| = %d, want %d", T, c, digits(T, c), sum)
			}
			if v := sum * int64(levels*levels); least < 0 || v < least {
				least, k, h = v, c, levels
			}
		}
		if gotK, gotH := degree(T); gotK != k || gotH != h {
			t.Fatalf("T = %d: k = %d, h = %d, want %d, %d", T, gotK, gotH, k, h)
		}
	}
}

func TestTreeOfAnyHorizonFitsItsIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		T := rapid.Int64Range(1, 1<<rapid.IntRange(1, 40).Draw(t, "bits")).Draw(t, "T")
		k, h := degree(T)
		reach := new(big.Int).Exp(big.NewInt(k), big.NewInt(int64(h)), nil)
		if !reach.IsInt64() || (reach.Int64()-1)/2 < T || (power(k, h-1)-1)/2 >= T || k&1 == 0 {
			t.Fatalf("T = %d: k = %d, h = %d", T, k, h)
		}
		if nodes := int64(h) * (k - 1) / 2; nodes > 256 {
			t.Fatalf("T = %d: %d noises of 54 bits in one sum", T, nodes) // with a sum of 60 bits
		}
	})
}

func TestTreeShapeDecidesNoise(t *testing.T) {
	c := newTestTree(t, big.NewRat(7, 10), 1<<39)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1<<39).Draw(t, "n")
		m := rapid.Int64Range(1, 1<<39).Draw(t, "m")
		if s := c.Shape(n); s < 1 || s >= c.Shapes() || s != len(c.spans(n)) {
			t.Fatalf("shape %d of %d, %d nodes", s, c.Shapes(), len(c.spans(n)))
		}
		if same := gocmp.Equal(c.Noise(n), c.Noise(m)); (c.Shape(n) == c.Shape(m)) != same {
			t.Fatalf("rows %d and %d: shapes %d and %d, same noise %v", n, m, c.Shape(n), c.Shape(m), same)
		}
	})
}

// With ε = 4000·h on the grid 2^-1 every noise is 0 but with a probability of
// e^{−2000}, so the sums can be read: rows are rounded one by one, and nodes
// that reach ahead of the stream add nothing.
func TestTreeWithoutNoiseIsTheSum(t *testing.T) {
	c, err := New(Spec{Name: "tree", Epsilon: big.NewRat(20_000, 1), Grid: big.NewRat(1, 2), Horizon: 60})
	if err != nil {
		t.Fatal(err)
	}
	bank := c.Bank([]rand.Source{chacha(1)})
	vectors := c.VectorBank([]rand.Source{chacha(1), chacha(2)}, 2)
	dst := make([]float64, 2)
	var want float64
	for n := range int64(60) {
		y := []float64{0.3, 0.75, 1}[n%3]
		want += []float64{0.5, 1, 1}[n%3]
		if got, rows, err := bank.Add(0, y); err != nil || got != want || rows != n+1 {
			t.Fatalf("row %d: %v of %d rows (%v), want %v", n+1, got, rows, err, want)
		}
		rows, err := vectors.Add(1, []float64{-1, 0}, 1, dst)
		if err != nil || rows != n+1 || dst[0] != -float64(n+1) || dst[1] != 0 {
			t.Fatalf("row %d: vector %v of %d rows (%v)", n+1, dst, rows, err)
		}
	}
	if _, err := vectors.Add(1, []float64{-1, 0}, 1, dst); err == nil {
		t.Error("a vector above the horizon was taken")
	}
}

// A vector stream takes its noise from one source, coordinate 0 first.
func TestTreeVectorsDrawByCoordinates(t *testing.T) {
	c := newTestTree(t, big.NewRat(1, 2), 200)
	vectors := c.VectorBank([]rand.Source{chacha(9), chacha(3)}, 2)
	twin := chacha(3)
	first, second := c.stream(twin), c.stream(twin)
	dst := make([]float64, 2)
	for n := range int64(200) {
		rows, err := vectors.Add(1, []float64{0.5, -0.25}, 1, dst)
		a, _, errA := first.add(1 << 19)
		b, _, errB := second.add(-1 << 18)
		if err = errors.Join(err, errA, errB); err != nil || rows != n+1 {
			t.Fatal(rows, err)
		}
		if dst[0] != float64(a)/(1<<20) || dst[1] != float64(b)/(1<<20) {
			t.Fatalf("row %d: %v, want %d and %d units", n+1, dst, a, b)
		}
	}
}

func TestTreeFaults(t *testing.T) {
	half := big.NewRat(1, 2)
	for _, tt := range []struct {
		name string
		spec Spec
		want []string // parameters
	}{
		{"good", Spec{Epsilon: half, Horizon: 1}, nil},
		{"long", Spec{Epsilon: half, Horizon: 1 << 40}, nil},
		{"too long", Spec{Epsilon: half, Horizon: 1<<40 + 1}, []string{"horizon"}},
		{"too long for a fine grid", Spec{Epsilon: half, Horizon: 1 << 31, Grid: big.NewRat(1, 1<<30)}, []string{"horizon"}},
		{"no horizon, no epsilon", Spec{}, []string{"horizon", "epsilon"}},
		{"negative", Spec{Epsilon: big.NewRat(-1, 2), Horizon: -5}, []string{"horizon", "epsilon"}},
		{"exponent", Spec{Epsilon: half, Horizon: 5, Exponent: half}, []string{"exponent"}},
		{"odd decimals", Spec{Epsilon: big.NewRat(12345678901, 100_000_000_000), Horizon: 5}, []string{"epsilon"}},
		{"grid", Spec{Epsilon: half, Horizon: 5, Grid: big.NewRat(1, 3)}, []string{"grid"}},
	} {
		tt.spec.Name = "tree"
		_, err := New(tt.spec)
		if diff := gocmp.Diff(tt.want, params(t, tt.name, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func BenchmarkTreeAdd(b *testing.B) {
	bank := newTestTree(b, big.NewRat(1, 4), 1<<36).Bank([]rand.Source{chacha(1)})
	for b.Loop() {
		if _, _, err := bank.Add(0, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTreeNew(b *testing.B) {
	for b.Loop() {
		newTestTree(b, big.NewRat(1, 4), 1_000_000_000)
	}
}

func TestBinomial(t *testing.T) {
	for n := range 62 {
		for j := range n + 1 {
			if want := new(big.Int).Binomial(int64(n), int64(j)).Int64(); binomial(n, j) != want {
				t.Fatalf("C(%d, %d) = %d, want %d", n, j, binomial(n, j), want)
			}
		}
	}
}
