package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const testStride = 264

// numbers draws n values; some at which a kernel could go its own way: signed
// zeros, subnormal and huge numbers, NaN and infinities.
func numbers(r *rand.Rand, n int, tame bool) []float64 {
	odd := []float64{0, math.Copysign(0, -1), 5e-324, -1e-310, 1e300, -1e150, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}
	out := make([]float64, n)
	for i := range out {
		out[i] = 1 + r.NormFloat64()
		if !tame && r.IntN(40) == 0 {
			out[i] = odd[r.IntN(len(odd))]
		}
	}
	return out
}

// same compares bit by bit; NaNs are equal.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(u, v float64) bool {
		return math.Float64bits(u) == math.Float64bits(v) || math.IsNaN(u) && math.IsNaN(v)
	})
}

// Every function of this processor's kernel agrees with the one in Go, and
// writes nothing else. (Without assembly in the build the two are the same.)
func TestKernelsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		tame := rapid.Bool().Draw(t, "tame")
		quads := rapid.IntRange(0, 64).Draw(t, "quads")
		columns := numbers(r, 12*testStride, tame)
		small := numbers(r, 16, tame)
		run := func(k Kernel) [][]float64 {
			v, other := slices.Clone(columns), slices.Clone(columns[6*testStride:])
			var out [][]float64
			var lane [4]float64
			pick := make([]int32, 4*quads)
			for i := range pick {
				pick[i] = int32((i * 37) % len(v))
			}
			gathered := make([]float64, 300)
			k.Gather(gathered, v, pick, small[0], v, &lane)
			out = append(out, gathered, slices.Clone(lane[:]))
			for m := range 3 {
				var sums [9]float64
				k.Cross[m](v, other, testStride, quads, v, &sums)
				out = append(out, slices.Clone(sums[:]))
				k.Square[m](v, testStride, quads, (*[3]float64)(small), v, &sums)
				out = append(out, slices.Clone(sums[:]))
			}
			n := quads / 4 * 16
			for known := range 6 {
				k.Solve(v[known*testStride:][:n], v, testStride, small[:known], (*[4]float64)(small[6:]), other)
			}
			k.Scale(v[7*testStride:][:4*quads], other)
			return append(out, v, other)
		}
		want, got := run(Portable()), run(New())
		for i := range want {
			if !same(want[i], got[i]) {
				t.Fatalf("output %d with %d quads: in Go %v, on this processor %v", i, quads, want[i], got[i])
			}
		}
	})
}

// Rows left over by four, which the kernel must leave alone.
func TestGatherLeavesTheRest(t *testing.T) {
	for name, k := range map[string]Kernel{"Go": Portable(), "this processor": New()} {
		for n := range 9 {
			col, dst := []float64{10, 11, 12, 13, 14, 15, 16, 17, 18}, make([]float64, 12)
			pick := []int32{8, 7, 6, 5, 4, 3, 2, 1}[:min(n, 8)]
			var lane [4]float64
			k.Gather(dst, col, pick, 10, col, &lane)
			want := make([]float64, 12)
			var sums [4]float64
			for i := range len(pick) &^ 3 {
				want[i] = float64(8 - i)
				sums[i&3] += want[i]
			}
			if !same(dst, want) || lane != sums {
				t.Errorf("%s, %d rows: %v, sums %v; want %v, %v", name, n, dst, lane, want, sums)
			}
		}
	}
}

// Products are rounded before they are added (a fused multiply-add would leave
// 2⁻¹⁰⁴ of the first), and lanes are joined as (0 + 1) + (2 + 3).
func TestRounding(t *testing.T) {
	for name, k := range map[string]Kernel{"Go": Portable(), "this processor": New()} {
		u := 1 + 0x1p-52
		a, b := make([]float64, 24), make([]float64, 24)
		a[0], b[0], a[4], b[4] = u, u, -(1 + 0x1p-51), 1 // lane 0: rounded, they cancel
		var out [9]float64
		k.Cross[0](a, b, 8, 2, a, &out)
		if out[0] != 0 {
			t.Errorf("%s: %g, but rounded products cancel", name, out[0])
		}
		a[0], b[0], a[4], b[4] = 0x1p60, 1, 0, 0
		a[1], b[1], a[2], b[2], a[3], b[3] = -0x1p60, 1, 1, 1, 0x1p-60, 1
		k.Cross[0](a, b, 8, 2, a, &out)
		if out[0] != 1 { // any other order loses or keeps something else
			t.Errorf("%s: %g, want (2⁶⁰ − 2⁶⁰) + (1 + 2⁻⁶⁰) = 1", name, out[0])
		}
	}
}

// Solve inverts a lower triangle: L·v = scale·d, row by row.
func TestSolve(t *testing.T) {
	// L = [2 0; 3 4], scale 1, offset 1: v₀ = d/2, v₁ = (d − 3·v₀)/4 with d = 9 − 1.
	for name, k := range map[string]Kernel{"Go": Portable(), "this processor": New()} {
		cols, eh := make([]float64, 2*testStride), make([]float64, 2*testStride)
		for i := range 16 {
			cols[i], cols[testStride+i], eh[i] = 9, 9, 100
		}
		k.Solve(cols[:16], cols, testStride, nil, &[4]float64{1, 2, 1, 0.5}, eh)
		k.Solve(cols[testStride:][:16], cols, testStride, []float64{3}, &[4]float64{1, -1, 1, 0.25}, eh)
		for i := range 16 {
			if cols[i] != 4 || cols[testStride+i] != -1 || eh[i] != 100-16+8 || eh[testStride+i] != 17 {
				t.Fatalf("%s, row %d: v = %g, %g; e = %g; h = %g", name, i, cols[i], cols[testStride+i], eh[i], eh[testStride+i])
			}
		}
	}
}

// For ten covariates, the products of a tile of 256 rows and one coordinate of
// it.
func BenchmarkKernel(b *testing.B) {
	columns := numbers(rand.New(rand.NewPCG(1, 1)), 12*testStride, true)
	for _, k := range []struct {
		name string
		k    Kernel
	}{{"processor", New()}, {"go", Portable()}} {
		var sums [9]float64
		var zero [3]float64
		eh := make([]float64, 2*testStride)
		per := func(b *testing.B, call func()) {
			b.Helper()
			for b.Loop() {
				call()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/row")
		}
		b.Run("square/"+k.name, func(b *testing.B) {
			per(b, func() { k.k.Square[2](columns, testStride, 64, &zero, eh, &sums) })
		})
		b.Run("cross/"+k.name, func(b *testing.B) {
			per(b, func() { k.k.Cross[2](columns, columns[3*testStride:], testStride, 64, eh, &sums) })
		})
		b.Run("solve/"+k.name, func(b *testing.B) {
			row := make([]float64, 9)
			per(b, func() {
				clear(eh)
				k.k.Solve(columns[9*testStride:][:256], columns, testStride, row, &[4]float64{0, 0, 1, 1}, eh)
			})
		})
	}
}
