package bitexact

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Package math's functions are within 1 unit in the last place of the truth.
func TestExpm1AndLn1p(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-40, 40), rapid.Float64Range(-0.5, 0.5), rapid.Float64Range(-1e-9, 1e-9)).Draw(t, "x")
		if got, want := Expm1(x), math.Expm1(x); ulps(got, want) > 5 {
			t.Fatalf("expm1(%v) = %v, want %v", x, got, want)
		}
		x = max(x, -0.9)
		if got, want := Ln1p(x), math.Log1p(x); ulps(got, want) > 6 {
			t.Fatalf("ln1p(%v) = %v, want %v", x, got, want)
		}
	})
	if Expm1(math.Inf(-1)) != -1 || !math.IsInf(Expm1(math.Inf(1)), 1) || !math.IsNaN(Expm1(math.NaN())) || Expm1(0) != 0 || Ln1p(0) != 0 {
		t.Error("special cases")
	}
}

func TestLiftAndLogistic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Float64Range(-30, 30).Draw(t, "u")
		x, y := Logistic(u)
		if want := 1 / (1 + math.Exp(-u)); ulps(x, want) > 8 {
			t.Fatalf("logistic(%v) = %v, want %v", u, x, want)
		}
		if want := 1 / (1 + math.Exp(u)); ulps(y, want) > 8 {
			t.Fatalf("1 − logistic(%v) = %v, want %v", u, y, want)
		}
		d := rapid.Float64Range(-20, 20).Draw(t, "d")
		want := math.Log1p(math.Exp(u+d)) - math.Log1p(math.Exp(u))
		if got := Lift(x, y, d); !(math.Abs(got-want) <= 1e-14*math.Max(1, math.Log1p(math.Exp(math.Max(u, u+d))))) {
			t.Fatalf("lift at %v by %v: %v, want %v", u, d, got, want)
		}
	})
	if x, y := Logistic(math.Inf(-1)); x != 0 || y != 1 {
		t.Errorf("logistic(−Inf) = %v, %v", x, y)
	}
}

// Python 3.11, mpmath 1.3.0, 40 digits:
// float(loggamma(a) - (a-mpf(1)/2)*log(a) + a - log(2*pi)/2).
func TestStirling(t *testing.T) {
	for _, tt := range [][2]float64{
		{0.001, 2.5422704679670947},
		{0.01, 1.4340079537031842},
		{0.5, 0.15342640972002736},
		{1, 0.08106146679532726},
		{2.5, 0.03316287351993629},
		{11.9, 0.00700115605153421},
		{12, 0.00694284010720953},
		{100, 0.0008333305556349147},
		{1e6, 8.333333333333056e-08},
		{1e9, 8.333333333333333e-11},
	} {
		if got := Stirling(tt[0]); !(math.Abs(got-tt[1]) < 1e-14) {
			t.Errorf("Δ(%v) = %v, want %v", tt[0], got, tt[1])
		}
	}
}
