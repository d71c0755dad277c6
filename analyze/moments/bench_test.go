package moments

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchChunk makes a chunk of 65,536 rows of ten covariates and ten arms.
func benchChunk(arms int) (arm []int32, x [][]float64, y []float64) {
	const rows, p = 65536, 10
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

func BenchmarkAddByArm(b *testing.B) {
	for _, arms := range []int{1, 10, 1000} {
		b.Run(fmt.Sprintf("arms=%d", arms), func(b *testing.B) {
			arm, x, y := benchChunk(arms)
			dst := make([]*Cross, arms)
			for i := range dst {
				dst[i] = NewCross(len(x))
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(y) * 8 * (len(x) + 1)))
			for b.Loop() {
				if err := AddByArm(dst, arm, x, y); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(y)), "ns/row")
		})
	}
}

func BenchmarkAddScalarsByArm(b *testing.B) {
	arm, _, y := benchChunk(10)
	dst := make([]Scalar, 10)
	b.ReportAllocs()
	for b.Loop() {
		if err := AddScalarsByArm(dst, arm, y); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(y)), "ns/row")
}
