package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestUniformLogP: the values of scipy 1.17.1's chisquare, and the cases
// without a test.
func TestUniformLogP(t *testing.T) {
	for _, c := range []struct {
		pulls []int64
		want  float64 // p
	}{
		{[]int64{10, 20, 30}, 0.006737946999085467}, // scipy.stats.chisquare([10,20,30]).pvalue = exp(-5)
		{[]int64{100, 100}, 1},
		{[]int64{90, 110}, 0.15729920705028513}, // scipy.stats.chisquare([90,110]).pvalue
		{[]int64{1000}, 1},
		{nil, 1},
		{[]int64{9, 0}, 1}, // 4.5 expected
	} {
		if got := math.Exp(UniformLogP(c.pulls)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: p = %v, want %v", c.pulls, got, c.want)
		}
	}
}

// TestUniformLevel: a uniform allocation is rejected at level 0.05 in 0.05 of
// logs, within 4 standard errors of 4,000 logs (0.0138); false alarm 6e-5.
func TestUniformLevel(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	rejected := 0
	for range 4000 {
		pulls := make([]int64, 7)
		for range 500 {
			pulls[src.IntN(7)]++
		}
		if UniformLogP(pulls) <= math.Log(0.05) {
			rejected++
		}
	}
	if share := float64(rejected) / 4000; math.Abs(share-0.05) > 0.0138 {
		t.Errorf("rejects %.4f of uniform logs at level 0.05", share)
	}
}
