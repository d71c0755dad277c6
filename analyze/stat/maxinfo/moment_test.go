package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func TestMomentsReference(t *testing.T) {
	for _, r := range reference.Rows(t, "corrections.csv", "moments") {
		levels := []Level{{r[1], int64(r[2])}, {r[3], int64(r[4])}}
		c := Moments(levels)
		got := c.Apply(r[0])
		// The reference is the minimum over the same range of α; e^E·p, the limit
		// beyond, may be below it by what that range leaves out.
		if limit := r[0] + Total(levels); got < min(r[5], limit)-1e-14*math.Abs(r[5]) || got > r[5]+1e-12*math.Abs(r[0]) {
			t.Errorf("%v: Apply(%g) = %.17g, want %.17g or a little more", levels, r[0], got, r[5])
		}
		if back := c.Level(r[5]); !closeTo(back, r[0], 1e-9) {
			t.Errorf("%v: Level(%g) = %.17g, want %.17g", levels, r[5], back, r[0])
		}
	}
}

func TestMomentsPrinted(t *testing.T) {
	if got := math.Exp(Moments([]Level{{1, 4}}).Apply(math.Log(.05))); math.Abs(got-.33442) > 5.001e-6 {
		t.Errorf("c = 1, n = 4: %.9f, printed .33442", got)
	}
	// The same with the closed form and ρ_BR.
	if got := math.Exp(Renyi([]Level{{1, 4}}).Apply(math.Log(.05))); math.Abs(got-.34719) > 5.001e-6 {
		t.Errorf("c = 1, n = 4 by ρ_BR: %.9f, printed .34719", got)
	}
}

// The search is never worse than the closed form, nor than e^E·p.
func TestMomentsBelowRenyi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t, 4, rapid.SampledFrom([]int64{3, 1000, 1e9}).Draw(t, "most rows"))
		logP := -rapid.Float64Range(0, 5000).Draw(t, "minus ln p")
		m, r := Moments(levels).Apply(logP), Renyi(levels).Apply(logP)
		if m > r+1e-12*math.Abs(logP) {
			t.Fatalf("%v at %g: %.17g is above the closed form's %.17g", levels, logP, m, r)
		}
		if e := logP + Total(levels); m > e+1e-12*math.Abs(logP) {
			t.Fatalf("%v at %g: %.17g is above e^E·p = %.17g", levels, logP, m, e)
		}
	})
}

// S(α) against its definition, by the moments of the extremal two-point law.
func TestMomentExponentIsReached(t *testing.T) {
	for _, c := range []float64{.05, .5, 2, 6} {
		for _, alpha := range []float64{1.01, 1.5, 2, 5, 30} {
			best := 0.0
			for i := 1; i < 20000; i++ {
				u := c * float64(i) / 20000 // r is e^u or e^{u−c}, with mean 1
				q := -math.Expm1(u-c) / (math.Exp(u) - math.Exp(u-c))
				best = max(best, math.Log(q*math.Exp(alpha*u)+(1-q)*math.Exp(alpha*(u-c))))
			}
			got := Moments([]Level{{c, 1}}).(momentBound).exponent(alpha)
			if got < best*(1-1e-12) || got > best*(1+1e-6)+1e-12 {
				t.Errorf("c = %g, α = %g: S = %.15g, the largest moment found is %.15g", c, alpha, got, best)
			}
		}
	}
}

func TestLogSinhc(t *testing.T) {
	if got := logSinhc(0); got != 0 {
		t.Errorf("at 0: %g", got)
	}
	for _, y := range []float64{1e-200, 1e-6, .3, .999999, 1, 1.000001, 4, 20} {
		want := math.Log(math.Sinh(y) / y)
		if y < .1 {
			want = y * y / 6 * (1 - y*y/30)
		}
		if got := logSinhc(y); !closeTo(got, want, 4e-15) {
			t.Errorf("ln(sinh(%g)/%g) = %.17g, want %.17g", y, y, got, want)
		}
	}
	if got, want := logSinhc(1e9), 1e9-math.Log(2e9); got != want {
		t.Errorf("far out: %.17g, want %.17g", got, want)
	}
}
