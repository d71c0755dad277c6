package moments

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments/simd"
)

// sameBits compares all numbers of two accumulators; NaNs are equal.
func sameBits(a, b *Cross) bool {
	equal := func(u, v []float64) bool {
		for i := range u {
			if math.Float64bits(u[i]) != math.Float64bits(v[i]) && !(math.IsNaN(u[i]) && math.IsNaN(v[i])) {
				return false
			}
		}
		return true
	}
	return a.n == b.n && equal(a.shift, b.shift) && equal(a.off, b.off) && equal(a.prod, b.prod)
}

// awkward draws values at which a kernel could go its own way: signed zeros,
// subnormal and huge numbers, NaN and infinities beside ordinary ones.
func awkward(r *rand.Rand, tame bool) float64 {
	if tame || r.IntN(50) > 0 {
		return 1e3 + r.NormFloat64()
	}
	odd := []float64{0, math.Copysign(0, -1), 5e-324, -1e-310, 1e300, -1e150, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}
	return odd[r.IntN(len(odd))]
}

func scatterWith(k simd.Kernel, arm []int32, arms int, c *chunk) []*Cross {
	dst := make([]*Cross, arms)
	for a := range dst {
		dst[a] = NewCross(len(c.x))
	}
	s := NewByArm(dst)
	s.kernel = k
	if err := s.scatter(arm, c); err != nil {
		panic(err)
	}
	return dst
}

// The kernel of this processor and the one in Go agree bit for bit, for every
// number of covariates, for any rows and for columns that lie apart or
// interleaved. (Without assembly in the build the two are the same.)
func TestKernelsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 31, 100}).Draw(t, "covariates")
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 63, 255, 256, 257, 1023, 2047, 2048, 2049, 5000}).Draw(t, "rows")
		arms := rapid.SampledFrom([]int{1, 2, 3, 10, 100, 700}).Draw(t, "arms")
		tame := rapid.Bool().Draw(t, "tame")
		if p > 13 {
			n = min(n, 600)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		arm, y, flat := make([]int32, n), make([]float64, n), make([]float64, n*p)
		for i := range y {
			arm[i], y[i] = int32(r.IntN(arms+1)-1), awkward(r, tame)
		}
		apart, woven := &chunk{nil, 1, y}, &chunk{nil, p, y}
		for j := range p {
			col := make([]float64, n)
			for i := range col {
				col[i] = awkward(r, tame)
				flat[i*p+j] = col[i]
			}
			apart.x, woven.x = append(apart.x, col), append(woven.x, flat[min(j, len(flat)):])
		}
		want := scatterWith(simd.Portable(), arm, arms, apart)
		for name, got := range map[string][]*Cross{
			"columns":     scatterWith(simd.New(), arm, arms, apart),
			"interleaved": scatterWith(simd.New(), arm, arms, woven),
		} {
			for a := range want {
				if !sameBits(want[a], got[a]) {
					t.Fatalf("%s, arm %d of %d, %d covariates, %d rows: in Go %+v, got %+v", name, a, arms, p, n, want[a], got[a])
				}
			}
		}
	})
}
