package noise

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Pairs are those that two loops count.
func TestEqualsCountsPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := make([]value, rapid.IntRange(0, 30).Draw(t, "values"))
		for i := range values {
			values[i] = value{
				rapid.IntRange(0, 2).Draw(t, "group"), rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"),
				float64(rapid.IntRange(1, 3).Draw(t, "k")), rapid.SampledFrom([]float64{0.5, 1}).Draw(t, "lattice"),
			}
		}
		var want int64
		for i := range values {
			for j := range i {
				if values[i] == values[j] {
					want++
				}
			}
		}
		if got := equals(values); got != want {
			t.Fatalf("%d pairs, want %d", got, want)
		}
	})
}

// At the balance the weighted mean is 0, and a weight e^{κx} moves it by κ.
func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		kappa := rapid.Float64Range(-3, 3).Draw(t, "κ")
		x, w, tilted := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = rapid.Float64Range(0.1, 5).Draw(t, "x") * float64(2*(i%2)-1) // on both sides of 0
			w[i] = rapid.Float64Range(0.1, 3).Draw(t, "w")
			tilted[i] = w[i] * math.Exp(kappa*x[i])
		}
		k := balance(x, w)
		var sum, first float64
		for i, v := range x {
			weight := w[i] * math.Exp(-k*v)
			sum += weight
			first += weight * v
		}
		if math.Abs(first/sum) > 1e-9 {
			t.Fatalf("κ = %v: the mean is %v", k, first/sum)
		}
		if moved := balance(x, tilted); math.Abs(moved-k-kappa) > 1e-8*(1+math.Abs(k)) {
			t.Fatalf("κ = %v of weights moved by %v, and %v of others", moved, kappa, k)
		}
	})
	for _, w := range [][]float64{{0, 1, 0}, {1, 0, 0}} { // no κ has the mean 0
		if k := balance([]float64{-1, 0.5, 0.5}, w); math.Abs(k) < mostExponent/2 {
			t.Errorf("weights %v: κ = %v", w, k)
		}
	}
}
