package hypothesis

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments"
	"banditaudit/testdata/reference"
)

type twoArmTest func(a, b moments.Scalar, value float64, alt Alternative, logAlpha float64) Result

// z03 is NormalDifference with the σ of the reference.
func z03(a, b moments.Scalar, value float64, alt Alternative, logAlpha float64) Result {
	return NormalDifference(a, b, value, 0.3, alt, logAlpha)
}

// R 4.2.2 t.test, pt and pnorm (testdata/reference/hypothesis2.R).
func TestDifferencesR(t *testing.T) {
	for name, test := range map[string]twoArmTest{"welch": Welch, "student2": Student2, "z2": z03} {
		for _, r := range reference.Rows(t, "hypothesis2_r.csv", name) {
			a, b := sampleOf(int64(r[0]), r[1], r[2]), sampleOf(int64(r[3]), r[4], r[5])
			got := test(a, b, r[6], Alternative(r[7]), math.Log(r[8]))
			if !near(got.Statistic, r[9], 1e-12) || !near(got.DF, r[10], 1e-12) || !near(got.LogP, r[11], 1e-11) || !near(got.Lo, r[12], 1e-10) || !near(got.Hi, r[13], 1e-10) {
				t.Errorf("%s %v: t = %.14g on %.14g, ln p = %.14g, [%.14g, %.14g]", name, r, got.Statistic, got.DF, got.LogP, got.Lo, got.Hi)
			}
			if fewest := min(a.N, b.N); got.N != a.N+b.N || got.Units != 0 || got.Exact || (len(got.Warnings) > 0) != (fewest < 30 || name == "z2" && r[5] > 1) {
				t.Errorf("%s %v: %+v", name, r, got)
			}
		}
	}
}

func TestDifferencesSpecial(t *testing.T) {
	nan := math.NaN()
	some, none, one, equal := sampleOf(40, 0.4, 0.2), moments.Scalar{}, moments.Scalar{N: 1, Mean: 0.3}, moments.Scalar{N: 50, Mean: 0.3}
	for name, test := range map[string]twoArmTest{"welch": Welch, "student2": Student2} {
		for _, arms := range [][2]moments.Scalar{{some, none}, {none, some}, {none, none}, {some, one}, {one, some}, {one, one}, {equal, equal}, {some, equal}, {equal, some}} {
			got := test(arms[0], arms[1], 0, TwoSided, -3)
			empty := arms[0].N == 0 || arms[1].N == 0
			if !math.IsNaN(got.LogP) || !math.IsNaN(got.Lo) || !math.IsNaN(got.Hi) || !math.IsNaN(got.Statistic) || !math.IsNaN(got.DF) || len(got.Warnings) != 1 || math.IsNaN(got.Estimate) != empty {
				t.Errorf("%s of %v: %+v", name, arms, got)
			}
		}
		// 500 rewards of 0 would be the surest of arms, and p below 10⁻¹⁰⁰.
		if got := test(sampleOf(500, 0.9, 0.3), moments.Scalar{N: 500}, 0, TwoSided, -3); !math.IsNaN(got.LogP) || !strings.Contains(got.Warnings[0], "hoeffding or bernstein") {
			t.Errorf("%s: one arm without variance: %+v", name, got)
		}
	}
	for _, sigma := range []float64{0, -1, nan, math.Inf(1)} {
		if got := NormalDifference(some, some, 0, sigma, TwoSided, -3); !math.IsNaN(got.LogP) || len(got.Warnings) != 1 {
			t.Errorf("σ = %g: %+v", sigma, got)
		}
	}
	if got := NormalDifference(some, none, 0, 1, TwoSided, -3); !math.IsNaN(got.LogP) || !math.IsNaN(got.Estimate) || len(got.Warnings) != 1 {
		t.Errorf("no rows in one arm: %+v", got)
	}
}

// Exchanging the arms turns the signs round, and scaling the rewards changes
// nothing but the scale, also where squares of variances would underflow.
func TestDifferencesSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) moments.Scalar {
			return sampleOf(rapid.Int64Range(2, 500).Draw(t, name+" rows"), rapid.Float64Range(-5, 5).Draw(t, name+" mean"), rapid.Float64Range(0.1, 5).Draw(t, name+" sd"))
		}
		a, b := draw("a"), draw("b")
		value := rapid.Float64Range(-3, 3).Draw(t, "value")
		for name, test := range map[string]twoArmTest{"welch": Welch, "student2": Student2, "z2": z03} {
			r, s := test(a, b, value, Greater, -3), test(b, a, -value, Less, -3)
			if !near(r.LogP, s.LogP, 1e-12) || !near(r.Lo, -s.Hi, 1e-12) || !near(r.DF, s.DF, 1e-12) {
				t.Fatalf("%s: %+v against %+v", name, r, s)
			}
		}
		const tiny = 0x1p-300
		small := func(s moments.Scalar) moments.Scalar {
			return moments.Scalar{N: s.N, Mean: s.Mean * tiny, M2: s.M2 * tiny * tiny}
		}
		r, s := Welch(a, b, value, TwoSided, -3), Welch(small(a), small(b), value*tiny, TwoSided, -3)
		if !near(r.DF, s.DF, 1e-12) || !near(r.LogP, s.LogP, 1e-12) {
			t.Fatalf("scaled: %+v against %+v", r, s)
		}
	})
}
