package bitexact

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// ulps returns |a−b| in units in the last place of b.
func ulps(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / (math.Nextafter(math.Abs(b), math.Inf(1)) - math.Abs(b))
}

// Package math's logarithm is within 1 unit in the last place of the truth, so
// 3 units of it are what 2 units of the truth allow.
func TestLn(t *testing.T) {
	for x := 1.0; x < 100_000; x++ {
		if got, want := Ln(x), math.Log(x); ulps(got, want) > 3 {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0x1p-1022, math.MaxFloat64).Draw(t, "x")
		if got, want := Ln(x), math.Log(x); ulps(got, want) > 3 {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	})
	if Ln(1) != 0 || !math.IsInf(Ln(0), -1) {
		t.Errorf("ln(1) = %v, ln(0) = %v", Ln(1), Ln(0))
	}
}

// The bits themselves, so that an architecture that differs is noticed, beside
// correctly rounded values by Python 3.11 and mpmath 1.3.0, 60 digits:
// [float(mp.log(mp.mpf(x))) for x in (2, 3, 10, 0.05, 20000/0.05, 1-2**-30)].
func TestLnBits(t *testing.T) {
	for _, tt := range []struct{ x, bits, truth float64 }{
		{2, 0.6931471805599453, 0.6931471805599453},
		{3, 1.0986122886681096, 1.0986122886681098},
		{10, 2.302585092994046, 2.302585092994046},
		{0.05, -2.995732273553991, -2.995732273553991},
		{20000 / 0.05, 12.89921982609012, 12.89921982609012},
		{1 - 0x1p-30, -9.313225750491594e-10, -9.313225750491594e-10},
	} {
		if got := Ln(tt.x); got != tt.bits || ulps(got, tt.truth) > 2 {
			t.Errorf("ln(%v) = %v, want %v, in truth %v", tt.x, got, tt.bits, tt.truth)
		}
	}
}

func TestLn2Split(t *testing.T) {
	hi := new(big.Float).SetFloat64(ln2Hi)
	if p := hi.MinPrec(); p > 32 {
		t.Errorf("the high part has %d bits; its product with an exponent is not exact", p)
	}
	if got := float64(ln2Hi) + float64(ln2Lo); got != math.Ln2 {
		t.Errorf("the parts add up to %v", got)
	}
}

func BenchmarkLn(b *testing.B) {
	x := 1.0
	for b.Loop() {
		x++
		_ = Ln(x)
	}
}
