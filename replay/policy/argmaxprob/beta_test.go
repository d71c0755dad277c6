package argmaxprob

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// betaBest returns P(θ_i is the largest) for independent θ_i ~ Beta(a_i, b_i).
func betaBest(a, b []float64) []float64 {
	p := make([]float64, len(a))
	NewBeta(len(a)).Best(a, b, nil, p)
	return p
}

// Reference: thompson.py, densities of 30 digits on panels of 40 points.
func TestBetaBest(t *testing.T) {
	for _, row := range reference.Rows(t, "thompson.csv", "beta") {
		k := int(row[0])
		a, b, want := row[1:1+k], row[1+k:1+2*k], row[1+2*k:]
		if got := betaBest(a, b); !(off(got, want) < far) {
			t.Errorf("alphas %v, betas %v: off by %g\ngot  %v\nwant %v", a, b, off(got, want), got, want)
		}
	}
}

// Many flat laws: in their long tails Π F falls though no density does. P of
// Beta(1.001, .001) above k−1 laws Beta(.001, .001), by mpmath 1.3 with 25
// digits:
//
//	from mpmath import *
//	mp.dps = 25; s = mpf('.001'); A = 1 + s; l2 = log(mpf(2))
//	F = lambda t, v: 1 - betainc(s, s, 0, v, regularized=True) if v < .5 else betainc(s, s, 0, t, regularized=True)
//	up = lambda k: lambda w: (1-exp(-w))**s*exp(-w)**s/beta(A, s)*F(1-exp(-w), exp(-w))**(k-1)
//	low = lambda k: lambda w: exp(-w)**A*(1-exp(-w))**(s-1)/beta(A, s)*F(exp(-w), 1-exp(-w))**(k-1)
//	for k in 2, 20:
//	    print(quad(up(k), [l2, 1, 2, 4, 8, 16, 35, 70, 150, 300, 600, 1200, 2400, 5000, 10000, 20000, 40000, 80000]) +
//	          quad(low(k), [l2, 1, 2, 4, 8, 16, 32, 64]))
func TestBetaBestOfFlatLaws(t *testing.T) {
	for k, want := range map[int]float64{2: 0.7499991811272664, 20: 0.09999990457319632} {
		a, b := make([]float64, k), make([]float64, k)
		for i := range a {
			a[i], b[i] = 0.001, 0.001
		}
		a[0] = 1.001
		if got := betaBest(a, b)[0]; !(math.Abs(got-want) < 3e-11) {
			t.Errorf("%d laws: %.17g, want %.17g", k, got, want)
		}
	}
}

// Two laws of whole numbers have a finite sum (thompson.py, exact rationals).
func TestBetaBestOfTwoIsASum(t *testing.T) {
	for _, row := range reference.Rows(t, "thompson.csv", "beta2") {
		got := betaBest([]float64{row[0], row[2]}, []float64{row[1], row[3]})
		if !(off(got, []float64{row[4], 1 - row[4]}) < far) {
			t.Errorf("Beta(%v,%v) above Beta(%v,%v): %v, want %v", row[0], row[1], row[2], row[3], got[0], row[4])
		}
	}
}

// Probabilities add up to 1 before they are made to: over any laws a policy can
// have, the quadrature has no other error that Σ P_i = 1 − Π F_j would not show
// but one between arms. One of those is checked: arms that are equal, and arms
// that are each other's mirror.
func TestBetaBestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 20).Draw(t, "k")
		a, b := make([]float64, k), make([]float64, k)
		for i := range k {
			n := math.Exp(rapid.Float64Range(0, math.Log(1e9)).Draw(t, "ln n")) - 1
			s := n * rapid.Float64Range(0, 1).Draw(t, "share")
			a[i] = math.Exp(rapid.Float64Range(math.Log(1e-3), 4).Draw(t, "ln alpha")) + s
			b[i] = math.Exp(rapid.Float64Range(math.Log(1e-3), 4).Draw(t, "ln beta")) + (n - s)
		}
		w, p := NewBeta(k), make([]float64, k)
		w.Best(a, b, nil, p)
		for _, w.Two = range []bool{false, true} {
			sum, want := w.best(&w.logits, w.arms, p), 1.0
			if w.Two {
				want = 2
			}
			if !(math.Abs(sum-want) < 1e-9) {
				t.Fatalf("probabilities add up to %v%+g", want, sum-want)
			}
		}
		twin := betaBest([]float64{a[0], a[1], a[0]}, []float64{b[0], b[1], b[0]})
		if !(math.Abs(twin[0]-twin[2]) < 1e-9) {
			t.Fatalf("equal arms have %v", twin)
		}
		mirror, straight := betaBest(b[:2], a[:2]), betaBest(a[:2], b[:2])
		if !(math.Abs(mirror[0]-straight[1]) < 1e-9) {
			t.Fatalf("the larger θ has %v, the smaller 1 − θ %v", straight, mirror)
		}
	})
}

// Laws of few rows are integrated over θ as over the logit.
func TestFewRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 12).Draw(t, "k")
		w, few, panels := NewBeta(k), make([]float64, k), make([]float64, k)
		for i := range k {
			most := 1 + (mostDegree-k)/k
			w.arms = append(w.arms, i)
			w.set(i, float64(rapid.IntRange(1, 1+most/2).Draw(t, "a")), float64(rapid.IntRange(1, 1+(most-1)/2).Draw(t, "b")))
		}
		for _, w.Two = range []bool{false, true} {
			w.exactly(few)
			w.round()
			if w.best(&w.logits, w.arms, panels); !(off(few, panels) < far) {
				t.Fatalf("best two %v of %v, %v: %v, by panels %v", w.Two, w.a, w.b, few, panels)
			}
		}
	})
}

// The bits themselves, so that an architecture that differs is noticed.
func TestBetaBestBits(t *testing.T) {
	if diff := cmp.Diff([]float64{0.20402375436684392, 0.5182877164943458, 0.2776885291388103}, betaBest([]float64{0.5, 12.25, 40}, []float64{1, 8, 31})); diff != "" {
		t.Error(diff)
	}
}
