package moments

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/moments/simd"
)

// benchChunk makes a chunk of 65,536 rows of p covariates.
func benchChunk(arms, p int) (arm []int32, x [][]float64, y []float64) {
	const rows = 65536
	r := rand.New(rand.NewPCG(1, 2))
	arm, y = make([]int32, rows), make([]float64, rows)
	x = make([][]float64, p)
	for j := range x {
		x[j] = make([]float64, rows)
		for t := range rows {
			x[j][t] = r.NormFloat64()
		}
	}
	for t := range rows {
		arm[t], y[t] = int32(r.IntN(arms)), r.Float64()
	}
	return arm, x, y
}

func perRow(b *testing.B, rows int) {
	b.Helper()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

// By the kernel of this processor and by the one in Go, for numbers of
// covariates d and arms K.
func BenchmarkAddByArm(b *testing.B) {
	kernels := []struct {
		name string
		k    simd.Kernel
	}{{"processor", simd.New()}, {"go", simd.Portable()}}
	for _, size := range []struct{ p, arms int }{{10, 1}, {10, 2}, {10, 10}, {10, 50}, {10, 200}, {10, 1000}, {10, 5000}, {0, 10}, {1, 10}, {5, 10}, {20, 10}, {100, 10}} {
		for _, k := range kernels {
			b.Run(fmt.Sprintf("d=%d/K=%d/kernel=%s", size.p, size.arms, k.name), func(b *testing.B) {
				arm, x, y := benchChunk(size.arms, size.p)
				dst := make([]*Cross, size.arms)
				for i := range dst {
					dst[i] = NewCross(len(x))
				}
				b.ReportAllocs()
				b.SetBytes(int64(len(y) * (8*(len(x)+1) + 4)))
				for b.Loop() {
					s := NewByArm(dst)
					s.kernel = k.k
					if err := s.Add(arm, x, y); err != nil {
						b.Fatal(err)
					}
				}
				perRow(b, len(y))
			})
		}
	}
}

func BenchmarkAddRows(b *testing.B) {
	arm, x, y := benchChunk(10, 10)
	flat := interleave(x, len(y))
	dst := make([]*Cross, 10)
	for i := range dst {
		dst[i] = NewCross(len(x))
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(y) * (8*(len(x)+1) + 4)))
	for b.Loop() {
		if err := NewByArm(dst).AddRows(arm, flat, y); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b, len(y))
}

func BenchmarkAddScalarsByArm(b *testing.B) {
	for _, arms := range []int{2, 10, 1000} {
		b.Run(fmt.Sprintf("K=%d", arms), func(b *testing.B) {
			arm, _, y := benchChunk(arms, 0)
			dst := make([]Scalar, arms)
			b.ReportAllocs()
			for b.Loop() {
				if err := AddScalarsByArm(dst, arm, y); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b, len(y))
		})
	}
}
