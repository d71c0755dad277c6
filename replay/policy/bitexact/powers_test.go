package bitexact

import (
	"math"
	"math/big"
	"testing"
)

// Functions that package math has are held against it, whose errors are below one or two
// units in the last place.
func TestAsPackageMath(t *testing.T) {
	worst := map[string]float64{}
	hold := func(name string, x, got, want, most float64) {
		if d := ulps(got, want); d > worst[name] {
			if worst[name] = d; d > most {
				t.Errorf("%s(%v) = %v, want %v: %.1f units in the last place", name, x, got, want, d)
			}
		}
	}
	for i := -40_000; i <= 40_000; i++ {
		x := float64(i) / 1400
		hold("Tanh", x, Tanh(x), math.Tanh(x), 8)
		hold("Sinh", x, Sinh(x), math.Sinh(x), 8)
		if math.Erfc(x) > 0x1p-1000 {
			hold("Erfc", x, Erfc(x), math.Erfc(x), 8)
		}
		for _, base := range []float64{0x1p-30, 0.3, 0.999, 1, 1.1, 2, 10} {
			hold("Pow", x, Pow(base, x), math.Pow(base, x), 16)
		}
	}
	t.Log(worst)
}

// Special cases are those of package math.
func TestSpecialCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	odd := []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, 0.5, -0.5, 2, -2, 3, 710, -710, 1e300, 5e-324}
	same := func(a, b float64) bool {
		return math.IsNaN(a) && math.IsNaN(b) || math.Signbit(a) == math.Signbit(b) && ulps(a, b) <= 8
	}
	for _, x := range odd {
		for name, got := range map[string][2]float64{
			"Tanh": {Tanh(x), math.Tanh(x)}, "Sinh": {Sinh(x), math.Sinh(x)}, "Erfc": {Erfc(x), math.Erfc(x)},
		} {
			if !same(got[0], got[1]) {
				t.Errorf("%s(%v) = %v, want %v", name, x, got[0], got[1])
			}
		}
		for _, y := range append(odd, 1.5, -2.5, 0.1) {
			if got, want := Pow(x, y), math.Pow(x, y); !same(got, want) {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

// Half powers are roots: the square of x^½ is x within an ulp, by exact arithmetic.
func TestHalfPowers(t *testing.T) {
	for _, x := range []float64{2, 3, 0.7, 1e-9} {
		root := new(big.Float).SetPrec(200).SetFloat64(Pow(x, 0.5))
		square, _ := root.Mul(root, root).Float64()
		if ulps(square, x) > 1 {
			t.Errorf("Pow(%v, 0.5)² = %v", x, square)
		}
	}
}
