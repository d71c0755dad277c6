package winner

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is kept from call to call changes no bit: after any changes of laws, and for any
// eligible variables, the result is that of one who is asked for the first time.
func TestBestIsAFunctionOfTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 8).Draw(t, "k")
		a, b, mean, sd := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
		kept, normal := NewBeta(k), NewGaussian(k)
		size := math.Exp(rapid.Float64Range(0, 9).Draw(t, "ln rows"))
		set := func(i int) {
			kept.Set(i, a[i], b[i])
			mean[i], sd[i] = a[i]/(a[i]+b[i]), 0.5/math.Sqrt(a[i]+b[i])
		}
		for i := range k {
			share := rapid.Float64Range(0.3, 0.6).Draw(t, "share")
			a[i], b[i] = 0.5+size*share, 0.5+size*(1-share)
			set(i)
		}
		got, want, eligible := make([]float64, k), make([]float64, k), make([]bool, k)
		for range 20 {
			i := rapid.IntRange(0, k-1).Draw(t, "arm")
			for j := range eligible {
				eligible[j] = j == i || rapid.IntRange(0, 9).Draw(t, "eligible") > 0
			}
			kept.Best(eligible, got)
			fresh := NewBeta(k)
			for j := range k {
				fresh.Set(j, a[j], b[j])
			}
			if fresh.Best(eligible, want); !slices.Equal(got, want) {
				t.Fatalf("Beta: kept %v, computed anew %v", got, want)
			}
			normal.Best(mean, sd, eligible, got)
			if NewGaussian(k).Best(mean, sd, eligible, want); !slices.Equal(got, want) {
				t.Fatalf("normal: kept %v, computed anew %v", got, want)
			}
			if rapid.Bool().Draw(t, "success") {
				a[i]++
			} else {
				b[i] += rapid.Float64Range(0, 1).Draw(t, "loss")
			}
			set(i)
		}
	})
}
