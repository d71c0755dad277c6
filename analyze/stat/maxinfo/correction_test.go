package maxinfo

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// everyConditional returns the corrections that hold given the actions, the
// recursion where there are few rows.
func everyConditional(t interface{ Fatal(args ...any) }, levels []Level) []Conditional {
	all := []Conditional{Renyi(levels), Moments(levels), AnyLaw(levels)}
	if rowsOf(merged(levels)) <= 5 {
		r, err := Recursion(levels)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return append(all, Least(all...))
}

// everyAveraged returns the others.
func everyAveraged(eps float64, n int64) []Correction {
	return []Correction{
		Published(eps, n), PublishedAt(eps, n, .01), Information(eps * eps * float64(n) / 2),
		ApproximateDP(eps, 1e-9, n), ApproximateDP(eps, 0, n),
	}
}

// checkShape holds a correction to what its interface says of every p.
func checkShape(t *rapid.T, c Correction) {
	logP := -rapid.OneOf(rapid.Float64Range(0, 3), rapid.Float64Range(0, 60), rapid.Float64Range(0, 5000)).Draw(t, "minus ln p")
	q := c.Apply(logP)
	if !(q >= logP && q <= 0) {
		t.Fatalf("%s: corrected %g lies outside [ln p, 0] = [%g, 0]", c.Name(), q, logP)
	}
	less := logP - rapid.Float64Range(0, 10).Draw(t, "step")
	if r := c.Apply(less); r > q+1e-12*math.Abs(q) {
		t.Fatalf("%s: p = e^%g gives e^%.17g, more than e^%.17g at e^%g", c.Name(), less, r, q, logP)
	}
	level := c.Level(logP)
	if !(level <= logP) {
		t.Fatalf("%s: level e^%g for α = e^%g", c.Name(), level, logP)
	}
	if r := c.Apply(level); level > math.Inf(-1) && r > logP {
		t.Fatalf("%s: the level e^%.17g for α = e^%.17g is corrected to e^%.17g", c.Name(), level, logP, r)
	}
	if q > -1e-3 || q < -600 {
		return
	}
	// A confidence interval must lose nothing either: the level for q is p, up to
	// what rounding q does to it.
	if back := c.Level(q + 1e-9*(1+math.Abs(q))); back < logP-1e-5*(1+math.Abs(logP)) {
		t.Fatalf("%s: the level for the corrected e^%.17g is e^%.17g, want e^%.17g", c.Name(), q, back, logP)
	}
}

func TestConditionalShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t, 4, rapid.SampledFrom([]int64{3, 1000, 1e9}).Draw(t, "most rows"))
		all := everyConditional(t, levels)
		checkShape(t, rapid.SampledFrom(all).Draw(t, "correction"))
	})
}

func TestAveragedShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := rapid.OneOf(rapid.Float64Range(1e-4, 2), rapid.Just(0.0)).Draw(t, "eps")
		n := rapid.Int64Range(0, 1e5).Draw(t, "n")
		c := rapid.SampledFrom(everyAveraged(eps, n)).Draw(t, "correction")
		checkShape(t, c)
	})
}

// More rows or larger costs never make a corrected p smaller.
func TestConditionalGrowsWithCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t, 3, rapid.SampledFrom([]int64{3, 1e9}).Draw(t, "most rows"))
		more := append([]Level(nil), levels...)
		for i := range more {
			more[i].Cost *= 1 + rapid.Float64Range(0, 1).Draw(t, "growth")
		}
		more = append(more, Level{Cost: .1, Rows: 1})
		logP := -rapid.Float64Range(0, 100).Draw(t, "minus ln p")
		for i, of := range []func([]Level) Conditional{Renyi, Moments, AnyLaw} {
			a, b := of(levels).Apply(logP), of(more).Apply(logP)
			if b < a-1e-12*math.Abs(a) {
				t.Fatalf("form %d: %v gives %.17g, %v gives %.17g", i, levels, a, more, b)
			}
		}
	})
}

func TestConditionalSpecialCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		name   string
		levels []Level
		p, q   float64 // ln
		a, g   float64 // ln
	}{
		{"no rows", nil, -3, -3, -3, -3},
		{"no rows, p = 1", nil, 0, 0, 0, 0},
		{"no rows, p = 0", nil, -inf, -inf, -inf, -inf},
		{"levels without rows", []Level{{1, 0}, {nan, -2}}, -5000, -5000, -5000, -5000},
		{"costs of 0", []Level{{0, 1e9}}, -5000, -5000, -5000, -5000},
		{"p = 0", []Level{{1, 3}}, -inf, -inf, -inf, -inf},
		{"p = 1", []Level{{1, 3}}, 0, 0, 0, 0},
		{"an infinite cost", []Level{{1, 3}, {inf, 1}}, -5000, 0, -1, -inf},
		{"an infinite cost, p = 0", []Level{{inf, 1}}, -inf, 0, -inf, -inf},
		{"an infinite cost, α = 1", []Level{{inf, 1}}, 0, 0, 0, 0},
		{"p above 1", []Level{{1, 3}}, 1e-9, nan, 1e-9, nan},
		{"p NaN", []Level{{1, 3}}, nan, nan, nan, nan},
	} {
		for _, c := range everyConditional(t, r.levels) {
			if got := c.Apply(r.p); got != r.q && !(math.IsNaN(got) && math.IsNaN(r.q)) {
				t.Errorf("%s: %s: Apply = %g, want %g", r.name, c.Name(), got, r.q)
			}
			if got := c.Level(r.a); got != r.g && !(math.IsNaN(got) && math.IsNaN(r.g)) {
				t.Errorf("%s: %s: Level = %g, want %g", r.name, c.Name(), got, r.g)
			}
		}
	}
	for _, bad := range []float64{-1, nan} {
		levels := []Level{{bad, 1}, {1, 1}}
		for _, c := range []Correction{Renyi(levels), Moments(levels), AnyLaw(levels), Least(AnyLaw(nil), Renyi(levels))} {
			if !math.IsNaN(c.Apply(-3)) || !math.IsNaN(c.Level(-3)) {
				t.Errorf("a cost of %g: %s gives %g and %g, want NaN", bad, c.Name(), c.Apply(-3), c.Level(-3))
			}
		}
	}
}

// A thousand million rows, and p-values that no number between 0 and 1 holds.
func TestConditionalExtremes(t *testing.T) {
	for _, levels := range [][]Level{
		{{1e-5, 1e9}},
		{{.25, 1e9}},
		{{1e-9, 1e9}, {8, 1}},
		{{1e-300, 5}, {1e-3, 1e9}, {2, 3}},
		{{1e200, 2}},
	} {
		for _, logP := range []float64{-1e-12, -3, -5000, -1e12} {
			for _, c := range everyConditional(t, levels) {
				q := c.Apply(logP)
				if !(q >= logP && q <= 0) {
					t.Errorf("%v: %s(%g) = %g", levels, c.Name(), logP, q)
				}
				g := c.Level(logP)
				if !(g <= logP) || !math.IsInf(g, -1) && c.Apply(g) > logP {
					t.Errorf("%v: %s: level %g for %g, corrected to %g", levels, c.Name(), g, logP, c.Apply(g))
				}
			}
		}
	}
	// σ = ½·10⁻⁵·√10⁹: far in the tail there is still something left.
	q := Moments([]Level{{1e-5, 1e9}}).Apply(-5000)
	if want := Corrected(-5000, .5e-5*math.Sqrt(1e9)); !closeTo(q, want, 1e-9) {
		t.Errorf("p = e^-5000 became e^%.12g, want e^%.12g", q, want)
	}
}

// Names differ, as results name them side by side.
func TestNamesDiffer(t *testing.T) {
	seen := map[string]bool{}
	all := everyAveraged(.1, 10)[:4]
	for _, c := range everyConditional(t, []Level{{1, 2}}) {
		all = append(all, c)
	}
	for _, c := range all {
		if seen[c.Name()] || c.Name() == "" {
			t.Errorf("name %q is empty or twice there", c.Name())
		}
		seen[c.Name()] = true
	}
	if want := fmt.Sprintf("least of: %s; %s", Renyi(nil).Name(), AnyLaw(nil).Name()); Least(Renyi(nil), AnyLaw(nil)).Name() != want {
		t.Errorf("Least is named %q, want %q", Least(Renyi(nil), AnyLaw(nil)).Name(), want)
	}
}
