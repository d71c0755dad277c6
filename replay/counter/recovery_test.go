package counter

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas/param"
)

// nodesOf are the variables of the noise of the sum that stands after n rows,
// with their signs, as the definitions in the package comment have them; the
// keys are made up here.
func nodesOf(c Counter, n int64) map[span]int64 {
	nodes := map[span]int64{}
	binary := func(from, r int64) {
		for level, at := 61, from; level >= 0; level-- {
			if r>>level&1 == 1 {
				nodes[span{level, at, at + int64(1)<<level}] = 1
				at += int64(1) << level
			}
		}
	}
	switch c := c.(type) {
	case *perRow:
		for i := range n {
			nodes[span{0, i, i + 1}] = 1
		}
	case *binaryTree:
		binary(0, n)
	case *hybrid:
		k, r := segment(n)
		for i := range k + 1 {
			nodes[span{-1, int64(1) << i >> 1, int64(1) << i}] = 1
		}
		binary(int64(1)<<k, r)
	case *tree:
		return c.spans(n)
	case *interval:
		if k := n / c.every; k > 0 {
			nodes[span{0, 0, k * c.every}] = 1
		}
	case *epochs:
		for size := int64(1); 2*size-1 <= n; size *= 2 {
			nodes = map[span]int64{{0, size - 1, 2*size - 1}: 1}
		}
	}
	return nodes
}

// scaleOf is the declared scale of such a variable for ε = 1/2.
func scaleOf(c Counter, v span) float64 {
	switch c := c.(type) {
	case *binaryTree:
		return 2 * float64(c.levels)
	case *hybrid:
		if v.level < 0 {
			return 4
		}
		k, _ := segment(v.from)
		return 4 * float64(k)
	case *tree:
		return 2 * float64(c.h)
	case *interval:
		return c.Noise(v.to)[0].Scale
	}
	return 2
}

// recoverable are the counters with noise, with several shapes of the tree.
func recoverable(tb testing.TB, rows int64) map[string]Counter {
	tb.Helper()
	list := map[string]Counter{}
	for _, d := range All() {
		if !d.Noise {
			continue
		}
		s := Spec{Name: d.Name, Epsilon: big.NewRat(1, 2)}
		if d.Horizon == param.HorizonNeeded {
			s.Horizon = rows
		}
		list[d.Name] = built(tb, s)
	}
	for k := int64(3); k <= 11; k += 2 {
		h := 1
		for ; (power(k, h)-1)/2 < rows; h++ {
		}
		list[fmt.Sprintf("tree of degree %d", k)] = shapedTree(tb, big.NewRat(1, 2), k, h)
	}
	return list
}

// coefficients returns the draws that are told apart when the sums after the
// given rows are seen, each with what it has of every variable: the recovery is
// linear, and is run once for each variable as 1 among zeros.
func coefficients(tb rapid.TB, c Counter, at []int64) (draws []Draw, parts []map[span]float64) {
	seen := make([]map[span]int64, len(at))
	variables := map[span]bool{}
	for i, n := range at {
		seen[i] = nodesOf(c, n)
		for v := range seen[i] {
			variables[v] = true
		}
	}
	for v := range variables {
		r, place := c.Recover(), 0
		for i, n := range at {
			for _, d := range r.See(n, float64(seen[i][v])) {
				value := d.Value
				d.Value = 0
				if place == len(draws) {
					draws, parts = append(draws, d), append(parts, map[span]float64{})
				}
				if draws[place] != d {
					tb.Fatalf("%s: a draw depends on the noise: %v and %v", c.Name(), d, draws[place])
				}
				if value != 0 {
					parts[place][v] = value
				}
				place++
			}
		}
		if place != len(draws) {
			tb.Fatalf("%s: %d draws, and %d with other noise", c.Name(), len(draws), place)
		}
	}
	return draws, parts
}

// Whatever sums are seen, a draw is what it says: the sum or difference of Count
// variables of its scale, the last of which was drawn at Row, of a sum of Rows
// rows; a single one with its own sign. No variable is in two.
func TestRecoveredDrawsAreWhatTheySay(t *testing.T) {
	const rows = 90
	list := recoverable(t, rows)
	names := make([]string, 0, len(list))
	drawn := map[string]map[span]int64{}
	for name, c := range list {
		names = append(names, name)
		drawn[name] = map[span]int64{}
		for n := int64(rows); n > 0; n-- {
			for v := range nodesOf(c, n) {
				drawn[name][v] = n
			}
		}
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "counter")
		step := rapid.Int64Range(1, 12).Draw(t, "step")
		var at []int64
		for n := int64(0); ; {
			n += rapid.Int64Range(1, step).Draw(t, "rows")
			if n > rows {
				break
			}
			at = append(at, n)
		}
		used := map[span]bool{}
		draws, parts := coefficients(t, list[name], at)
		for i, d := range draws {
			last := int64(0)
			for v, part := range parts[i] {
				if used[v] || math.Abs(part) != 1 || d.Count == 1 && part != 1 || scaleOf(list[name], v) != d.Scale {
					t.Fatalf("%s at %v: %+v has %v of %v (used before: %v)", name, at, d, part, v, used[v])
				}
				if d.Count == 1 && list[name].Name() != "interval" && list[name].Name() != "epochs" && v.level != d.Level {
					t.Fatalf("%s at %v: %+v is of level %d", name, at, d, v.level)
				}
				used[v] = true
				last = max(last, drawn[name][v])
			}
			if len(parts[i]) != d.Count || d.Row != last || d.Rows > at[len(at)-1] {
				t.Fatalf("%s at %v: %+v has %d variables, the last of row %d", name, at, d, len(parts[i]), last)
			}
		}
	})
}

// When every sum is seen, a draw is told apart for every one that was made, but
// those of the tree's nodes whose rows have not all come; and when every other
// is, or every tenth, still some.
func TestRecoveryMissesNothing(t *testing.T) {
	const rows = 90
	for name, c := range recoverable(t, rows) {
		var all, second, tenth []int64
		variables := map[span]bool{}
		for n := int64(1); n <= rows; n++ {
			all = append(all, n)
			if n%2 == 0 {
				second = append(second, n)
			}
			if n%10 == 0 {
				tenth = append(tenth, n)
			}
			for v := range nodesOf(c, n) {
				variables[v] = v.to <= rows || variables[v]
			}
		}
		want := 0
		for _, complete := range variables {
			if complete {
				want++
			}
		}
		draws, _ := coefficients(t, c, all)
		if tree, ok := c.(*tree); ok {
			want = 0 // nodes between two sums that were both seen
			for n := int64(1); n <= rows; n++ {
				if parent := tree.parentOf(n); parent <= rows {
					want++
				}
			}
		}
		if len(draws) != want {
			t.Errorf("%s: %d draws, want %d", name, len(draws), want)
		}
		for _, d := range draws {
			if d.Count != 1 {
				t.Errorf("%s: %+v though every sum was seen", name, d)
			}
		}
		few, _ := coefficients(t, c, second)
		fewer, _ := coefficients(t, c, tenth)
		if len(few) == 0 || len(fewer) == 0 {
			t.Errorf("%s: %d and %d draws of every other and every tenth sum", name, len(few), len(fewer))
		}
		t.Logf("%s: %d draws of all %d sums, %d of every other, %d of every tenth", name, len(draws), rows, len(few), len(fewer))
	}
}

// parentOf is n moved by one node towards p_{j+1}, with j its lowest digit that
// is not 0.
func (c *tree) parentOf(n int64) int64 {
	least := span{level: math.MaxInt}
	sign := int64(0)
	for v, s := range c.spans(n) {
		if v.level < least.level && (v.to == n || v.from == n) {
			least, sign = v, s
		}
	}
	if sign > 0 {
		return least.from
	}
	return least.to
}

// Recovered from a seeded stream against one without noise, on the lattice, the
// draws are those of the law in the order in which the stream takes them, for
// the tree in another order; to the last bit.
func TestRecoveredDrawsAreTheDrawnOnes(t *testing.T) {
	const rows = 700
	for name, c := range recoverable(t, rows) {
		noisy, plain := c.Bank([]rand.Source{chacha(3)}), c.Bank([]rand.Source{nil})
		r, words := c.Recover(), rand.New(rand.NewPCG(8, 8))
		var got []float64
		for n := int64(1); n <= rows; n++ {
			y := words.Float64()
			sum, of, err := noisy.Add(0, y)
			if err != nil {
				t.Fatal(err)
			}
			exact, same, err := plain.Add(0, y)
			if err != nil || of != same {
				t.Fatalf("%s: %d and %d rows (%v)", name, of, same, err)
			}
			for _, d := range r.See(n, sum-exact) {
				got = append(got, d.Value)
			}
		}
		want := drawsOf(t, c, rows)
		if _, ok := c.(*tree); ok {
			contained(t, name, got, want)
		} else if !slices.Equal(got, want) {
			t.Errorf("%s: %d draws are not the %d that were drawn", name, len(got), len(want))
		}
	}
}

// drawsOf takes from the stream of the test what the counter takes of it.
func drawsOf(tb testing.TB, c Counter, rows int64) (list []float64) {
	tb.Helper()
	src, known := chacha(3), map[span]bool{}
	for n := int64(1); n <= rows; n++ {
		var fresh []span
		for v := range nodesOf(c, n) {
			if !known[v] {
				fresh = append(fresh, v)
			}
			known[v] = true
		}
		slices.SortFunc(fresh, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.from, b.from))
		})
		for _, v := range fresh {
			unit := new(big.Rat).SetInt64(1 << defaultGrid)
			law, _ := newDiscreteLaplace(unit.Mul(unit, new(big.Rat).SetFloat64(scaleOf(c, v))))
			if i, ok := c.(*interval); ok {
				law = i.noise(i.blocks[i.block(v.to/i.every)].w)
			}
			x, err := law.draw(src)
			if err != nil {
				tb.Fatal(err)
			}
			list = append(list, float64(x)/(1<<defaultGrid))
		}
	}
	return list
}

// contained checks that what was got was drawn, and that few draws are missing:
// those of nodes that a later sum will tell.
func contained(t *testing.T, name string, got, want []float64) {
	t.Helper()
	left := map[float64]int{}
	for _, v := range want {
		left[v]++
	}
	for _, v := range got {
		if left[v]--; left[v] < 0 {
			t.Fatalf("%s: %v was not drawn, or only once", name, v)
		}
	}
	if missing := len(want) - len(got); missing > 40 || missing < 0 {
		t.Errorf("%s: %d of %d draws are missing", name, missing, len(want))
	}
}

func TestRecoveryIgnoresWhatCannotBe(t *testing.T) {
	for name, c := range recoverable(t, 50) {
		r := c.Recover()
		for _, n := range []int64{0, -3, 1 << 60} {
			if d := r.See(n, 5); len(d) > 0 {
				t.Errorf("%s: %d rows: %v", name, n, d)
			}
		}
		r.See(1, 2)
		r.See(2, 4)
		for _, n := range []int64{2, 1} {
			if d := r.See(n, 7); len(d) > 0 {
				t.Errorf("%s: %d rows again: %v", name, n, d)
			}
		}
	}
	if (exact{}).Recover() != nil {
		t.Error("exact sums have no noise")
	}
}

// A recovery remembers few sums, however long the stream is.
func TestRecoveryForgets(t *testing.T) {
	for name, c := range recoverable(t, 60_000) {
		for _, step := range []int64{1, 7} {
			r := c.Recover()
			for n := int64(1); n <= 60_000; n += step {
				r.See(n, 1)
			}
			if f, ok := r.(*forest); ok && len(f.sums) > 1200 {
				t.Errorf("%s: %d sums are remembered", name, len(f.sums))
			}
		}
	}
}

// BenchmarkRecover is a row of a stream whose every sum is seen.
func BenchmarkRecover(b *testing.B) {
	for _, name := range []string{"laplace", "binary", "hybrid", "tree"} {
		b.Run(name, func(b *testing.B) {
			s := Spec{Name: name, Epsilon: big.NewRat(1, 4)}
			if name == "binary" || name == "tree" {
				s.Horizon = 1 << 30
			}
			b.ReportAllocs()
			r, n := built(b, s).Recover(), int64(0)
			for b.Loop() {
				n++
				r.See(n, 1)
			}
		})
	}
}

// In the tree of degree 3 the sums of 6 and of 8 rows hang on that of 9, and
// those of 2, 9 and 10 rows by way of 3, of none and of 9 on 0. Sums that are
// skipped join the paths that wait at them, and send one that is left on.
func TestRecoveryThroughASkippedSum(t *testing.T) {
	c := shapedTree(t, big.NewRat(1, 2), 3, 4)
	for _, tt := range []struct {
		at   []int64
		want []map[span]float64
	}{
		{[]int64{2, 5}, []map[span]float64{{{0, 2, 3}: -1, {1, 0, 3}: 1}}},
		{[]int64{6, 8, 10}, []map[span]float64{{{1, 6, 9}: 1, {0, 8, 9}: -1}, {{2, 0, 9}: 1, {0, 9, 10}: 1}}},
	} {
		draws, parts := coefficients(t, c, tt.at)
		if !slices.EqualFunc(parts, tt.want, maps.Equal[map[span]float64]) {
			t.Errorf("%v: %v made of %v, want %v", tt.at, draws, parts, tt.want)
		}
	}
}
