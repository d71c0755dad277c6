package hypothesis

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

// R 4.2.2 pf and pchisq on covariances of lm and sandwich 3.0-2
// (testdata/reference/hypothesis2.R).
func TestWaldR(t *testing.T) {
	for _, r := range reference.Rows(t, "hypothesis2_r.csv", "wald") {
		df, q := r[0], int(r[1])
		rest := r[2:]
		take := func(n int) []float64 {
			v := rest[:n]
			rest = rest[n:]
			return v
		}
		h := Linear{}
		for range q {
			h.R = append(h.R, take(4))
		}
		h.Value = take(q)
		beta, cov := take(4), take(16)
		got := Wald(beta, cov, h, df)
		if !near(got.Statistic, rest[0], 1e-11) || !near(got.LogP, rest[1], 1e-11) || got.DF != df || got.DF1 != float64(q) || len(got.Warnings) != 0 || got.Exact {
			t.Errorf("df = %g, q = %d: F = %.15g, ln p = %.15g, want %v", df, q, got.Statistic, got.LogP, rest)
		}
	}
}

// One constraint is the two-sided t test.
func TestWaldOne(t *testing.T) {
	beta, cov := []float64{3, -1.5}, []float64{4, 0.3, 0.3, 0.25}
	for _, df := range []float64{3, 800, math.Inf(1)} {
		w := Wald(beta, cov, Equal(2, []int{1}, []float64{-20}), df)
		l := Location{Estimate: -1.5, StdErr: 0.5, DF: df}.Test(-20, TwoSided, -3)
		if !near(w.Statistic, l.Statistic*l.Statistic, 1e-14) || !near(w.LogP, l.LogP, 1e-13) {
			t.Errorf("df = %g: %+v against %+v", df, w, l)
		}
	}
}

// By hand: the order and the scale of constraints do not matter; F = 5200 on
// (2, ∞) has ln p = −5200, the χ² law with 2 degrees of freedom at 10400.
func TestWaldFar(t *testing.T) {
	beta, cov := []float64{0, 100, 20}, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	got := Wald(beta, cov, Linear{R: [][]float64{{0, 0, 1e-9}, {0, 1e9, 1e9}}, Value: []float64{0, 0}}, math.Inf(1))
	if !near(got.Statistic, 5200, 1e-12) || !near(got.LogP, -5200, 1e-12) {
		t.Errorf("%+v", got)
	}
}

func TestWaldSpecial(t *testing.T) {
	nan := math.NaN()
	beta, cov := []float64{1, 2}, []float64{1, 0.5, 0.5, 1}
	for name, r := range map[string]Result{
		"none":       Wald(beta, cov, Linear{}, 5),
		"twice":      Wald(beta, cov, Equal(2, []int{0, 0}, []float64{0, 1}), 5),
		"dependent":  Wald(beta, cov, Linear{R: [][]float64{{1, 0}, {0, 1}, {1, 1}}, Value: []float64{0, 0, 0}}, 5),
		"singular":   Wald(beta, []float64{1, 1, 1, 1}, Equal(2, []int{0, 1}, []float64{0, 0}), 5),
		"no error":   Wald(beta, []float64{0, 0, 0, 1}, Equal(2, []int{0, 1}, []float64{0, 0}), 5),
		"NaN error":  Wald(beta, []float64{nan, 0, 0, 1}, Equal(2, []int{0, 1}, []float64{0, 0}), 5),
		"NaN value":  Wald(beta, cov, Equal(2, []int{0}, []float64{nan}), 5),
		"df 0":       Wald(beta, cov, Equal(2, []int{0}, []float64{0}), 0),
		"df NaN":     Wald(beta, cov, Equal(2, []int{0}, []float64{0}), nan),
		"df below 0": Wald(beta, cov, Equal(2, []int{0}, []float64{0}), -1),
	} {
		if !math.IsNaN(r.LogP) || !math.IsNaN(r.Statistic) || len(r.Warnings) != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for name, call := range map[string]func(){
		"covariance": func() { Wald(beta, cov[:3], Linear{}, 5) },
		"rows":       func() { Wald(beta, cov, Linear{R: [][]float64{{1, 0}}}, 5) },
		"columns":    func() { Wald(beta, cov, Linear{R: [][]float64{{1}}, Value: []float64{0}}, 5) },
		"places":     func() { Equal(2, []int{0}, nil) },
	} {
		func() {
			defer func() {
				if recover() != badLength {
					t.Errorf("%s: other lengths must panic", name)
				}
			}()
			call()
		}()
	}
}
