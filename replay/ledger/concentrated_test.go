package ledger

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The conversion at ρ and δ, a grid of ln(α−1) refined; mpmath 1.3.0, Python 3.11:
//
//	from mpmath import *
//	mp.dps = 40
//	f = lambda x, r, d: (1+e**x)*r + log(1-1/(1+e**x)) - (log(d)+log(1+e**x))/e**x
//	for r, d in (('.5', '1e-6'), ('.004837418036', '1e-6'), ('2', '1e-9'), ('1e-5', '1e-3'), ('50', '1e-12')):
//	    v, x = min((f(mpf(i)/100, mpf(r), mpf(d)), mpf(i)/100) for i in range(-1500, 1500))
//	    for n in range(90):
//	        s = mpf('.01')*mpf('.7')**n
//	        v, x = min((f(y, mpf(r), mpf(d)), y) for y in (x-s, x, x+s))
//	    print(nstr(v, 12))
func TestApproximate(t *testing.T) {
	for _, tt := range []struct{ rho, delta, want float64 }{
		{.5, 1e-6, 5.22153444453},
		{.004837418036, 1e-6, .422453198371},
		{2, 1e-9, 14.1501475539},
		{1e-5, 1e-3, .00363456240087},
		{50, 1e-12, 122.73460486},
		{0, 1e-6, 0},
		{math.Inf(1), 1e-6, math.Inf(1)},
		{1, 0, math.Inf(1)},
		{1, 1, math.Inf(1)},
	} {
		if got := Approximate(tt.rho, tt.delta); got != tt.want && !(math.Abs(got/tt.want-1) < 1e-10) {
			t.Errorf("ρ = %v, δ = %v: ε = %v, want %v", tt.rho, tt.delta, got, tt.want)
		}
	}
	if weak := .5 + 2*math.Sqrt(.5*math.Log(1e6)); math.Abs(weak-5.756522) > 1e-6 {
		t.Errorf("the simple conversion is %v", weak)
	}
}

// The conversion is never above ρ + 2√(ρ ln(1/δ)), grows with ρ, falls with δ,
// and no α on a grid gives less.
func TestApproximateIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rho := math.Exp(rapid.Float64Range(-14, 6).Draw(t, "ln rho"))
		delta := math.Exp(rapid.Float64Range(-60, -0.1).Draw(t, "ln delta"))
		e := Approximate(rho, delta)
		if weak := rho + 2*math.Sqrt(rho*-math.Log(delta)); e > weak*(1+1e-11) || e < 0 {
			t.Fatalf("ε = %v above %v", e, weak)
		}
		if Approximate(rho*1.01, delta) < e || Approximate(rho, delta*0.9) < e {
			t.Fatal("not monotone")
		}
		for x := -20.0; x < 40; x += 0.37 {
			b := math.Exp(x)
			at := (1+b)*rho - math.Log1p(1/b) - (math.Log(delta)+math.Log1p(b))/b
			if math.Max(0, at) < e*(1-1e-9)-1e-9 {
				t.Fatalf("α − 1 = %v gives %v, less than %v", b, at, e)
			}
		}
	})
}

func TestPureRho(t *testing.T) {
	if PureRho(0) != 0 || !math.IsInf(PureRho(math.Inf(1)), 1) {
		t.Error("special cases")
	}
	if got, want := PureRho(1), math.Tanh(.5); got < want || got > want*(1+1e-11) {
		t.Errorf("ρ of ε = 1: %v, want %v", got, want)
	}
	if GroupRho(.25, 1) != .25 || GroupRho(0, 5) != 0 {
		t.Error("one row, or nothing")
	}
	if got := GroupRho(.25, 6); got < 9 || got > 9*(1+1e-14) {
		t.Errorf("six rows: %v, want 9", got)
	}
	if got, want := Concentrated(steps{}), PureRho(.5); got != want {
		t.Errorf("a law whose own ρ is larger: %v, want %v", got, want)
	}
}
