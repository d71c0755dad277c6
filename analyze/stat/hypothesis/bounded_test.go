package hypothesis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments"
	"banditaudit/testdata/reference"
)

func boundedArm(r []float64) Bounded {
	return Bounded{
		N: int64(r[0]), Mean: r[1], Lo: r[2], Hi: r[3],
		Units: int64(r[4]), Squares: r[5], Largest: int64(r[6]), M2: r[7],
	}
}

type (
	oneBounded func(m Bounded, value float64, alt Alternative, logAlpha float64) Result
	twoBounded func(p BoundedPair, value float64, alt Alternative, logAlpha float64) Result
)

// 40 digits and other ways to solve for p (testdata/reference/bounded.py).
func TestBoundedReference(t *testing.T) {
	check := func(name string, got Result, r, want []float64) {
		if !near(got.LogP, want[0], 1e-12) || !near(got.Lo, want[1], 1e-12) || !near(got.Hi, want[2], 1e-12) || !got.Exact || len(got.Warnings) != 0 {
			t.Errorf("%s %v: ln p = %.15g, [%.15g, %.15g] %v", name, r, got.LogP, got.Lo, got.Hi, got.Warnings)
		}
	}
	for name, test := range map[string]oneBounded{"hoeffding": Hoeffding, "bernstein": Bernstein} {
		for _, r := range reference.Rows(t, "bounded.csv", name) {
			check(name, test(boundedArm(r), r[8], Alternative(r[9]), r[10]), r, r[11:])
		}
	}
	for name, test := range map[string]twoBounded{"hoeffding2": HoeffdingDifference, "bernstein2": BernsteinDifference} {
		for _, r := range reference.Rows(t, "bounded.csv", name) {
			p := BoundedPair{A: boundedArm(r), B: boundedArm(r[8:]), Units: int64(r[16]), Cross: r[17]}
			check(name, test(p, r[18], Alternative(r[19]), r[20]), r, r[21:])
		}
	}
}

// By hand: 100 rows, mean 0.6 against 0.5: exp(−2·0.01·100) = e^−2; pairs of
// equal rows count as 50.
func TestHoeffdingByHand(t *testing.T) {
	m := BoundedRows(moments.Scalar{N: 100, Mean: 0.6}, 0, 1)
	if got := Hoeffding(m, 0.5, Greater, -3); !near(got.LogP, -2, 1e-13) || got.Units != 0 || !near(got.Statistic, 0.1, 1e-12) {
		t.Errorf("%+v", got)
	}
	m.Units, m.Squares, m.Largest = 50, 200, 2
	if got := Hoeffding(m, 0.5, Greater, -3); !near(got.LogP, -1, 1e-13) || got.Units != 50 {
		t.Errorf("%+v", got)
	}
	if got := Hoeffding(m, 0.5, TwoSided, -3); !near(got.LogP, -1+math.Ln2, 1e-13) {
		t.Errorf("%+v", got)
	}
	if got := Hoeffding(m, 0.5, Less, -3); got.LogP != 0 || got.Lo != 0 {
		t.Errorf("%+v", got)
	}
}

// p ≤ α exactly when the value lies outside the interval.
func TestBoundedDuality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (b Bounded) {
			b.Units = rapid.Int64Range(2, 3000).Draw(t, name+" units")
			b.Largest = rapid.Int64Range(1, 5).Draw(t, name+" largest")
			b.N = b.Units * b.Largest
			b.Squares = float64(b.Units * b.Largest * b.Largest)
			b.Lo, b.Hi = -2, 3
			b.Mean = rapid.Float64Range(-2, 3).Draw(t, name+" mean")
			b.M2 = rapid.Float64Range(0, 6).Draw(t, name+" variance") * b.Squares
			return b
		}
		a, b := draw("a"), draw("b")
		alt := Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		logAlpha := -rapid.Float64Range(0.01, 100).Draw(t, "minus ln alpha")
		value := rapid.Float64Range(-2, 3).Draw(t, "value")
		pair := BoundedPair{A: a, B: b, Units: a.Units + b.Units}
		for name, r := range map[string]Result{
			"hoeffding": Hoeffding(a, value, alt, logAlpha), "bernstein": Bernstein(a, value, alt, logAlpha),
			"hoeffding difference": HoeffdingDifference(pair, value, alt, logAlpha), "bernstein difference": BernsteinDifference(pair, value, alt, logAlpha),
		} {
			if len(r.Warnings) != 0 || !(r.Lo <= r.Hi) || r.LogP > 0 {
				t.Fatalf("%s: %+v", name, r)
			}
			if math.Abs(r.LogP-logAlpha) < 1e-9*math.Abs(logAlpha) {
				continue // p equals α up to rounding, where either answer is right
			}
			if outside := value < r.Lo || value > r.Hi; outside != (r.LogP <= logAlpha) {
				t.Fatalf("%s: ln p = %g at ln α = %g, but the interval is [%g, %g]", name, r.LogP, logAlpha, r.Lo, r.Hi)
			}
		}
	})
}

func TestBoundedSpecial(t *testing.T) {
	good := BoundedRows(sampleOf(60, 0.4, 0.2), 0, 1)
	with := func(f func(m *Bounded)) Bounded {
		m := good
		f(&m)
		return m
	}
	bad := map[string]Bounded{
		"no range":      with(func(m *Bounded) { m.Lo, m.Hi = 1, 1 }),
		"range NaN":     with(func(m *Bounded) { m.Hi = math.NaN() }),
		"infinite":      with(func(m *Bounded) { m.Hi = math.Inf(1) }),
		"mean outside":  with(func(m *Bounded) { m.Mean = 1.1 }),
		"mean NaN":      with(func(m *Bounded) { m.Mean = math.NaN() }),
		"rows":          with(func(m *Bounded) { m.N = -1 }),
		"units":         with(func(m *Bounded) { m.Units = 61 }),
		"no units":      with(func(m *Bounded) { m.Units = 0 }),
		"squares":       with(func(m *Bounded) { m.Squares = 59 }),
		"largest":       with(func(m *Bounded) { m.Largest = 0 }),
		"spread":        with(func(m *Bounded) { m.M2 = -1 }),
		"spread is NaN": with(func(m *Bounded) { m.M2 = math.NaN() }),
	}
	none := BoundedRows(moments.Scalar{}, 0, 1)
	one := BoundedRows(moments.Scalar{N: 1, Mean: 1}, 0, 1)
	for name, test := range map[string]oneBounded{
		"hoeffding": Hoeffding, "bernstein": Bernstein,
		"hoeffding difference": func(m Bounded, value float64, alt Alternative, logAlpha float64) Result {
			return HoeffdingDifference(BoundedPair{A: good, B: m, Units: good.Units + m.Units}, value, alt, logAlpha)
		},
		"bernstein difference": func(m Bounded, value float64, alt Alternative, logAlpha float64) Result {
			return BernsteinDifference(BoundedPair{A: m, B: good, Units: good.Units + m.Units}, value, alt, logAlpha)
		},
	} {
		for fault, m := range bad {
			if got := test(m, 0.5, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || len(got.Warnings) != 1 {
				t.Errorf("%s, %s: %+v", name, fault, got)
			}
		}
		for _, value := range []float64{2, -2, math.NaN()} {
			if got := test(good, value, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || len(got.Warnings) != 1 {
				t.Errorf("%s at %g: %+v", name, value, got)
			}
		}
		if got := test(good, 0.5, TwoSided, 0.1); !math.IsNaN(got.LogP) || len(got.Warnings) != 1 {
			t.Errorf("%s at a level above 1: %+v", name, got)
		}
		if got := test(none, 0.5, Greater, -3); got.LogP != 0 || got.Hi != 1 || got.Lo > 0 || !math.IsNaN(got.Estimate) || len(got.Warnings) != 1 {
			t.Errorf("%s of no rows: %+v", name, got)
		}
		bernstein := name[0] == 'b'
		if got := test(one, 0.05, Greater, -3); (len(got.Warnings) == 1) != bernstein || bernstein && got.LogP != 0 {
			t.Errorf("%s of one row: %+v", name, got)
		}
		if got := test(good, 0.4, TwoSided, math.Inf(-1)); got.Hi != 1 || got.Lo > 0 || len(got.Warnings) != 0 {
			t.Errorf("%s at level 0: %+v", name, got)
		}
	}
	for name, p := range map[string]BoundedPair{
		"too many units": {A: good, B: good, Units: 121},
		"too few units":  {A: good, B: good, Units: 59},
		"overlap alone":  {A: good, B: good, Units: 100},
		"products alone": {A: good, B: good, Units: 120, Cross: 3},
		"products NaN":   {A: good, B: good, Units: 100, Cross: math.NaN()},
	} {
		if got := HoeffdingDifference(p, 0, TwoSided, -3); !math.IsNaN(got.LogP) || len(got.Warnings) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// outcome is one outcome of an experiment that is enumerated.
type outcome struct{ probability, logP float64 }

// excess returns the largest P(p ≤ x)/x over all x below 1 that p takes: above 1
// the test does not hold its level.
func excess(outcomes []outcome) float64 {
	slices.SortFunc(outcomes, func(a, b outcome) int {
		if a.logP < b.logP {
			return -1
		}
		return 1
	})
	worst, sum := 0.0, 0.0
	for _, o := range outcomes {
		sum += o.probability
		if o.logP < 0 {
			worst = max(worst, sum/math.Exp(o.logP))
		}
	}
	return worst
}

// binomialLaw is the probability of 0…n successes.
func binomialLaw(n int, p float64) []float64 {
	out := make([]float64, n+1)
	top, _ := math.Lgamma(float64(n) + 1)
	for x := range out {
		a, _ := math.Lgamma(float64(x) + 1)
		b, _ := math.Lgamma(float64(n-x) + 1)
		out[x] = math.Exp(top - a - b + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p))
	}
	return out
}

// group is count units of size rows each, whose rewards are all 1 with
// probability p and all 0 otherwise.
type group struct {
	count, size int
	p           float64
}

// unitsOf is x and y units of ones in two groups.
func unitsOf(a, b group, x, y int) moments.Units {
	u := moments.Units{Shift: 0.5}
	for i := range a.count {
		u.Add(int64(a.size), float64(a.size)*half(i < x))
	}
	for i := range b.count {
		u.Add(int64(b.size), float64(b.size)*half(i < y))
	}
	return u
}

func half(success bool) float64 {
	if success {
		return 0.5
	}
	return -0.5
}

// Every outcome of two groups of units with different laws and sizes, at the
// true mean: at no α is p ≤ α more probable than α. Counting rows as units fails
// the same enumeration. (Hoeffding's P(p ≤ x)/x comes up to 0.6, Bernstein's to
// 0.07: its constants cost that much at these sizes.)
func TestBoundedLevel(t *testing.T) {
	tightest := 0.0
	for _, groups := range [][2]group{
		{{150, 1, 0.02}, {60, 1, 0.3}},
		{{60, 1, 0.5}, {60, 1, 0.5}},
		{{70, 1, 0.05}, {50, 3, 0.01}},
		{{40, 2, 0.5}, {40, 2, 0.5}},
		{{60, 8, 0.9}, {25, 1, 0.02}},
	} {
		a, b := groups[0], groups[1]
		n := float64(a.count*a.size + b.count*b.size)
		mean := (float64(a.count*a.size)*a.p + float64(b.count*b.size)*b.p) / n
		pa, pb := binomialLaw(a.count, a.p), binomialLaw(b.count, b.p)
		for _, alt := range []Alternative{TwoSided, Greater, Less} {
			var hoeffding, bernstein, rows []outcome
			for x, px := range pa {
				for y, py := range pb {
					m := BoundedUnits(unitsOf(a, b, x, y), 0, 1)
					hoeffding = append(hoeffding, outcome{px * py, Hoeffding(m, mean, alt, -3).LogP})
					bernstein = append(bernstein, outcome{px * py, Bernstein(m, mean, alt, -3).LogP})
					m.Units, m.Squares, m.Largest = m.N, float64(m.N), 1
					rows = append(rows, outcome{px * py, Hoeffding(m, mean, alt, -3).LogP})
				}
			}
			if h, e := excess(hoeffding), excess(bernstein); h > 1+1e-9 || e > 1+1e-9 || h < 1e-6 {
				t.Errorf("%v, %s: P(p ≤ x)/x reaches %g (Hoeffding), %g (Bernstein)", groups, alt, h, e)
			}
			tightest = max(tightest, excess(bernstein))
			if a.size == b.size && a.size > 1 && excess(rows) < 1.5 {
				t.Errorf("%v, %s: rows that come in units, counted as rows, should exceed the level", groups, alt)
			}
		}
	}
	if tightest < 0.05 {
		t.Errorf("P(p ≤ x)/x of Bernstein's test reaches %g only: nothing was tested", tightest)
	}
}

// The same for differences: arms of their own rows, and units that own a row of
// each arm with opposite rewards, for which independent arms exceed the level.
func TestBoundedDifferenceLevel(t *testing.T) {
	tests := map[string]twoBounded{"Hoeffding": HoeffdingDifference, "Bernstein": BernsteinDifference}
	for _, arms := range [][2]group{{{90, 1, 0.05}, {40, 1, 0.5}}, {{60, 1, 0.5}, {60, 1, 0.5}}, {{200, 1, 0.01}, {50, 1, 0.02}}} {
		a, b := arms[0], arms[1]
		pa, pb := binomialLaw(a.count, a.p), binomialLaw(b.count, b.p)
		for name, test := range tests {
			for _, alt := range []Alternative{TwoSided, Greater, Less} {
				var all []outcome
				for x, px := range pa {
					for y, py := range pb {
						p := BoundedPair{A: BoundedUnits(unitsOf(a, group{}, x, 0), 0, 1), B: BoundedUnits(unitsOf(group{}, b, 0, y), 0, 1), Units: int64(a.count + b.count)}
						all = append(all, outcome{px * py, test(p, a.p-b.p, alt, -3).LogP})
					}
				}
				if e := excess(all); e > 1+1e-9 {
					t.Errorf("%s, %v, %s: P(p ≤ x)/x reaches %g", name, arms, alt, e)
				}
			}
		}
	}
	for _, success := range []float64{0.5, 0.1} {
		for name, test := range tests {
			var by, apart []outcome
			for x, px := range binomialLaw(200, success) {
				var u moments.UnitPair
				for i := range 200 {
					u.Add(1, half(i < x), 1, -half(i < x))
				}
				u.A.Shift, u.B.Shift = 0.5, 0.5
				p := BoundedPairUnits(u, 0, 1)
				by = append(by, outcome{px, test(p, 2*success-1, TwoSided, -3).LogP})
				p.Cross, p.Units = 0, 400
				apart = append(apart, outcome{px, test(p, 2*success-1, TwoSided, -3).LogP})
			}
			if e := excess(by); e > 1+1e-9 {
				t.Errorf("%s, shared units: P(p ≤ x)/x reaches %g", name, e)
			}
			if name == "Hoeffding" && success == 0.5 && excess(apart) < 1.5 {
				t.Error("opposite rewards, counted as independent, should exceed the level")
			}
		}
	}
}

func ExampleBernstein() {
	m := BoundedRows(moments.Scalar{N: 1000, Mean: 0.04, M2: 38.4}, 0, 1)
	h, b := Hoeffding(m, 0.1, TwoSided, math.Log(0.05)), Bernstein(m, 0.1, TwoSided, math.Log(0.05))
	fmt.Printf("Hoeffding p = %.2g, interval [%.3f, %.3f]\n", math.Exp(h.LogP), h.Lo, h.Hi)
	fmt.Printf("Bernstein p = %.2g, interval [%.3f, %.3f]\n", math.Exp(b.LogP), b.Lo, b.Hi)
	// Output:
	// Hoeffding p = 0.0015, interval [0.000, 0.083]
	// Bernstein p = 1.6e-05, interval [0.011, 0.069]
}

func BenchmarkBernsteinDifference(b *testing.B) {
	p := BoundedPairRows(sampleOf(20_000_000, 0.5, 0.3), sampleOf(1_000_000, 0.499, 0.3), 0, 1)
	b.ReportAllocs()
	for b.Loop() {
		BernsteinDifference(p, 0, TwoSided, math.Log(0.05))
	}
}

// Rewards in another unit and from another origin have the same p, and an interval of a
// difference in that unit.
func TestBoundedDifferenceInAnotherUnit(t *testing.T) {
	in := func(unit, from float64) BoundedPair {
		arm := func(n, units int64, mean, m2 float64) Bounded {
			return Bounded{N: n, Mean: from + unit*mean, Lo: from, Hi: from + unit, Units: units, Squares: float64(n*n/units) + 10, Largest: 2 * n / units, M2: unit * unit * m2}
		}
		return BoundedPair{A: arm(400, 200, .9, 70), B: arm(300, 100, .2, 60), Units: 250, Cross: 500}
	}
	for name, test := range map[string]twoBounded{"hoeffding": HoeffdingDifference, "bernstein": BernsteinDifference} {
		want := test(in(1, 0), .05, TwoSided, -3)
		for _, unit := range []float64{.25, 3} {
			got := test(in(unit, -7), .05*unit, TwoSided, -3)
			if want.LogP >= 0 || !near(got.LogP, want.LogP, 1e-9) || !near(got.Lo, want.Lo*unit, 1e-9) || !near(got.Hi, want.Hi*unit, 1e-9) {
				t.Errorf("%s, unit %g: %+v, want %+v", name, unit, got, want)
			}
		}
	}
}
