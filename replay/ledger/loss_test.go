package ledger

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func rat(tb testing.TB, s string) *big.Rat {
	tb.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		tb.Fatalf("not a rational: %q", s)
	}
	return r
}

func loss(tb testing.TB, s string) Loss {
	tb.Helper()
	if s == "inf" {
		return Infinite()
	}
	return NewLoss(rat(tb, s))
}

func TestLossSpecialCases(t *testing.T) {
	for _, tt := range []struct {
		name string
		got  Loss
		want string
	}{
		{"zero value", Loss{}, "0"},
		{"nil rational", NewLoss(nil), "0"},
		{"finite plus infinite", loss(t, "1/4").Add(Infinite()), "inf"},
		{"infinite plus infinite", Infinite().Add(Infinite()), "inf"},
		{"zero times infinite", Infinite().Times(0), "0"},
		{"infinite three times", Infinite().Times(3), "inf"},
		{"maximum with infinite", loss(t, "7").Max(Infinite()), "inf"},
		{"a half and k times 1/(2k) is exactly one", loss(t, "1/2").Add(loss(t, "1/14").Times(7)), "1"},
		{"ε is the rational of its literal", loss(t, "0.1").Times(10), "1"},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if Infinite().Cmp(Infinite()) != 0 || Infinite().Cmp(loss(t, "1e300")) != 1 || loss(t, "1").Cmp(Infinite()) != -1 {
		t.Error("∞ must equal ∞ and exceed everything else")
	}
	if !(Loss{}).IsZero() || Infinite().IsZero() || !Infinite().IsInf() || Infinite().Rat() != nil {
		t.Error("IsZero, IsInf or Rat is wrong at 0 or ∞")
	}
}

func TestLossUp(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want float64
	}{
		{"0", 0},
		{"0.25", 0.25},
		{"0.1", 0.1}, // the float64 0.1 is above 1/10
		{"0.3", math.Nextafter(0.3, 1)},
		{"1/3", math.Nextafter(1.0/3, 1)}, // the float64 nearest to 1/3 is below it
		{"inf", math.Inf(1)},
		{"1e400", math.Inf(1)},
	} {
		if got := loss(t, tt.in).Up(); got != tt.want {
			t.Errorf("%s rounds up to %v, want %v", tt.in, got, tt.want)
		}
	}
	if got := loss(t, "1/3").Float(); got != 1.0/3 {
		t.Errorf("1/3 is nearest to %v, want %v", got, 1.0/3)
	}
	if got := Infinite().Float(); !math.IsInf(got, 1) {
		t.Errorf("∞ as a float is %v", got)
	}
}

func TestLossUpIsTheLeastFloatNotBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := rapid.Int64Range(0, math.MaxInt64).Draw(t, "num")
		den := rapid.Int64Range(1, math.MaxInt64).Draw(t, "den")
		r := big.NewRat(num, den)
		up := NewLoss(r).Up()
		if new(big.Rat).SetFloat64(up).Cmp(r) < 0 {
			t.Fatalf("%v is below %s", up, r)
		}
		if down := math.Nextafter(up, math.Inf(-1)); up > 0 && new(big.Rat).SetFloat64(down).Cmp(r) >= 0 {
			t.Fatalf("%v is not below %s, so %v is not the least", down, r, up)
		}
	})
}

func TestLossIsImmutable(t *testing.T) {
	r := big.NewRat(1, 2)
	a := NewLoss(r)
	r.SetInt64(9)
	a.Rat().SetInt64(9)
	_ = a.Add(a).Times(5)
	if a.String() != "1/2" {
		t.Errorf("the loss became %s", a)
	}
}

func TestLossPanicsOnBrokenCallers(t *testing.T) {
	for name, f := range map[string]func(){
		"negative rational": func() { NewLoss(big.NewRat(-1, 2)) },
		"negative count":    func() { Infinite().Times(-1) },
	} {
		func() {
			defer func() {
				if recover() != badLoss {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// Decimal is the smallest decimal of so many digits that is not below the loss.
func TestDecimal(t *testing.T) {
	for _, tt := range []struct {
		loss   string
		digits int
		want   string
	}{
		{"0", 10, "0"},
		{"1/4", 10, "0.25"},
		{"1/4", 1, "0.3"},
		{"1000000", 10, "1000000"},
		{"1/3", 10, "0.3333333334"},
		{"1/3", 20, "0.33333333333333333334"},
		{"572975545151/68719476736", 10, "8.337891561"}, // Python: float(Fraction(572975545151, 68719476736)) is 8.337891560964636
		{"99999999999", 10, "1e+11"},
		{"9999999999/1000000000000", 10, "0.009999999999"},
		{"1/1000000000000", 10, "1e-12"},
	} {
		if got := NewLoss(rat(t, tt.loss)).Decimal(tt.digits); got != tt.want {
			t.Errorf("%s to %d digits is %s, want %s", tt.loss, tt.digits, got, tt.want)
		}
	}
	if got := Infinite().Decimal(3); got != "inf" {
		t.Errorf("∞ is %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := big.NewRat(rapid.Int64Range(1, 1<<62).Draw(t, "numerator"), rapid.Int64Range(1, 1<<62).Draw(t, "denominator"))
		digits := rapid.IntRange(1, 70).Draw(t, "digits")
		got, _ := new(big.Rat).SetString(NewLoss(r).Decimal(digits))
		allowed := new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-1)), nil), big.NewInt(1))
		allowed.Quo(r, allowed) // one of the last digit is at most r/10^(digits−1)
		if off := new(big.Rat).Sub(got, r); off.Sign() < 0 || off.Cmp(allowed) >= 0 {
			t.Fatalf("%s to %d digits is %s", r, digits, NewLoss(r).Decimal(digits))
		}
	})
}
