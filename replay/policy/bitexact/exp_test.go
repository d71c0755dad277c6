package bitexact

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Package math's exponential is within 1 unit in the last place of the truth,
// so 3 units of it are what 2 units of the truth allow. Against mpmath, 40
// digits, the largest error at 300 000 random arguments was 0.86 units.
func TestExp(t *testing.T) {
	for i := range 200_000 {
		if x := -745 + float64(i)*0.00727; ulps(Exp(x), math.Exp(x)) > 3 {
			t.Fatalf("exp(%v) = %v, want %v", x, Exp(x), math.Exp(x))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if got, want := Exp(x), math.Exp(x); ulps(got, want) > 3 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	})
}

// The bits themselves, so that an architecture that differs is noticed, beside
// correctly rounded values by Python 3.11 and mpmath 1.3.0, 60 digits:
// float(mp.exp(mp.mpf(x))).
func TestExpBits(t *testing.T) {
	for _, tt := range []struct{ x, bits, truth float64 }{
		{0, 1, 1},
		{1, 2.7182818284590455, 2.718281828459045},
		{-1, 0.36787944117144233, 0.36787944117144233},
		{0.5, 1.6487212707001282, 1.6487212707001282},
		{-0.34657359027997264, 0.7071067811865475, 0.7071067811865476},
		{0.3465735902799727, 1.4142135623730951, 1.4142135623730951},
		{10, 22026.465794806718, 22026.465794806718},
		{-10, 4.539992976248485e-05, 4.5399929762484854e-05},
		{88.5, 2.7230878250681117e+38, 2.7230878250681117e+38},
		{-700.25, 7.678723813110872e-305, 7.678723813110872e-305},
		{709.782712893384, 1.7976931348622732e+308, 1.7976931348622732e+308},
		{-708.5, 2.006132305331306e-308, 2.006132305331306e-308},
		{-720.5, 1.2326102893e-313, 1.2326102893e-313},
		{-745.1, 5e-324, 5e-324},
		{1e-9, 1.000000001, 1.000000001},
		{-1e-300, 1, 1},
	} {
		if got := Exp(tt.x); got != tt.bits || ulps(got, tt.truth) > 1 {
			t.Errorf("exp(%v) = %v, want %v, in truth %v", tt.x, got, tt.bits, tt.truth)
		}
	}
}

func TestExpSpecialCases(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct{ x, want float64 }{
		{-inf, 0},
		{-math.MaxFloat64, 0},
		{-745.14, 0},
		{709.79, inf},
		{math.MaxFloat64, inf},
		{inf, inf},
	} {
		if got := Exp(tt.x); got != tt.want {
			t.Errorf("exp(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
	if got := Exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) = %v", got)
	}
}

func BenchmarkExp(b *testing.B) {
	x := -30.0
	for b.Loop() {
		x += 1e-6
		_ = Exp(x)
	}
}

// Many at once: within 4·10⁻¹⁵ of each.
func TestExps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-700, 700), rapid.Float64Range(-40, 1)).Draw(t, "x")
		xs := []float64{0, x, -1e9}
		Exps(xs, 0.5)
		if want := 0.5 * math.Exp(x); xs[0] != 0.5 || !(math.Abs(xs[1]-want) <= 4e-15*want) || !(xs[2] < 1e-300) {
			t.Fatalf("½·exp of 0, %v, −10⁹: %v, want %v", x, xs, want)
		}
	})
}
