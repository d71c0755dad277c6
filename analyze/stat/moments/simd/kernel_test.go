package simd

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

// Logarithms, predictors and bets have the bits of Go, math.Log among it: over all numbers
// that logarithms are taken of, and next to those at which they change their way.
func TestLogsAgree(t *testing.T) {
	const normal, infinite = 1 << 52, 0x7ff << 52
	r := rand.New(rand.NewPCG(3, 1))
	var of []float64
	for _, v := range []float64{1, .5, 2, math.Sqrt2 / 2, math.Sqrt2, 0x1p-1022, math.MaxFloat64} {
		for bits := math.Float64bits(v) - 64; bits <= math.Float64bits(v)+64; bits++ {
			of = append(of, math.Float64frombits(min(max(bits, normal), infinite-1)))
		}
	}
	for len(of) < 1<<17 {
		of = append(of, math.Float64frombits(normal+r.Uint64N(infinite-normal)), math.Exp2(48*r.Float64()-24))
	}
	of = of[:1<<17]
	sums := [2][]float64{make([]float64, len(of)), make([]float64, len(of))}
	AddLogs(sums[0], of)
	addLogsGo(sums[1], of)
	if !same(sums[0], sums[1]) {
		t.Error("logarithms differ from math.Log")
	}
	for range 2000 {
		var p [2][6][12]float64
		var bets [2][2][16]float64
		for i := range 12 {
			all := math.Exp2(30*r.Float64()-6) - 0x1p-6
			p[0][0][i], p[0][1][i], p[0][2][i], p[0][3][i] = 1-math.Exp2(-24*r.Float64()), all*r.Float64(), all, 1
			bets[0][i&1][i] = 1 + r.Float64()
		}
		var y, size [16]float64
		for i := range y {
			y[i], size[i] = []float64{0, 1, 0x1p-60, 1 - 0x1p-53, r.Float64(), r.Float64()}[r.IntN(6)], math.Expm1(r.Float64())
		}
		n := r.IntN(len(y) + 1)
		p[1], bets[1] = p[0], bets[0]
		for range 2 {
			Predict(&p[0], y[:n])
			predictGo(&p[1], y[:n])
			Settle(&p[0])
			settleGo(&p[1])
		}
		Bet(&bets[0], &size, y[:n])
		betGo(&bets[1], &size, y[:n])
		if p[0] != p[1] || bets[0] != bets[1] {
			t.Fatalf("%d rewards %v: %v and %v, in Go %v and %v", n, y, p[0], bets[0], p[1], bets[1])
		}
	}
}

// The exponential of settle is that of package math within a few units in the last place.
func TestExponential(t *testing.T) {
	for i := -4000; i <= 4000; i++ {
		x := float64(i) / 4000
		got, want := exponentialGo(x), math.Exp(x)
		if unit := math.Nextafter(want, 9) - want; math.Abs(got-want) > 4*unit {
			t.Errorf("e^%v = %v, want %v", x, got, want)
		}
	}
}

// Columns of scores are filled and summed as in Go, bit by bit, whatever their length.
func TestEvenAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for rows := range 70 {
		var at []int
		for row := range rows {
			if r.IntN(9) == 0 || rows > 50 && row == rows-1 {
				at = append(at, row)
			}
		}
		const stride = 88
		var cols [2][]float64
		var e [2][2][3][12]float64
		y, after := numbers(r, rows, true), numbers(r, rows, true)
		for k := range cols {
			cols[k] = numbers(rand.New(rand.NewPCG(uint64(rows), 1)), 13*stride, true)
			e[k][0][0], e[k][1][0][3] = [12]float64(cols[k]), 2
		}
		Runs(cols[0][:rows], at, y, after, 7)
		runsGo(cols[1][:rows], at, y, after, 7)
		copy(cols[0][rows:], cols[1][rows:rows+16])
		Sums(cols[0], stride, rows, &e[0][0])
		sumsGo(cols[1], stride, rows, &e[1][0])
		Spreads(cols[0], stride, y, .3, &e[0][1])
		spreadsGo(cols[1], stride, y, .3, &e[1][1])
		if !same(cols[0], cols[1]) || e[0] != e[1] {
			t.Fatalf("%d rows, %v given: %v, in Go %v", rows, at, e[0], e[1])
		}
	}
}
