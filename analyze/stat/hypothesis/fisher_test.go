package hypothesis

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/tail"
	"banditaudit/testdata/reference"
)

// R 4.2.2 fisher.test, one-sided (testdata/reference/fisher.R).
func TestFisherR(t *testing.T) {
	for _, r := range reference.Rows(t, "fisher_r.csv", "fisher") {
		a, b := Successes{int64(r[0]), int64(r[1])}, Successes{int64(r[2]), int64(r[3])}
		greater, less, both := Fisher(a, b, 0, Greater, -3), Fisher(a, b, 0, Less, -3), Fisher(a, b, 0, TwoSided, -3)
		if !near(math.Exp(greater.LogP), r[4], 1e-11) || !near(math.Exp(less.LogP), r[5], 1e-11) {
			t.Errorf("%v, %v: p = %.17g, %.17g, want %v", a, b, math.Exp(greater.LogP), math.Exp(less.LogP), r[4:])
		}
		if want := min(1, 2*r[4], 2*r[5]); !near(math.Exp(both.LogP), want, 1e-11) {
			t.Errorf("%v, %v: two-sided p = %.17g, want %.17g", a, b, math.Exp(both.LogP), want)
		}
	}
}

// Arbitrary precision (testdata/reference/fisher.py).
func TestFisherBoxExact(t *testing.T) {
	for _, r := range reference.Rows(t, "fisher.csv", "box") {
		a, b := Successes{int64(r[0]), int64(r[1])}, Successes{int64(r[2]), int64(r[3])}
		if got := Fisher(a, b, r[4], Greater, -3).LogP; math.Abs(got-r[5]) > 1e-11*math.Max(1, math.Abs(r[5])) {
			t.Errorf("%v, %v, %g: ln p = %.17g, want %.17g", a, b, r[4], got, r[5])
		}
		if got := Fisher(b, a, -r[4], Less, -3).LogP; math.Abs(got-r[5]) > 1e-11*math.Max(1, math.Abs(r[5])) {
			t.Errorf("%v, %v, %g, arms and side exchanged: ln p = %.17g, want %.17g", a, b, r[4], got, r[5])
		}
	}
}

// The level holds at every pair of means, by enumeration: against 0 and against
// another value, and the interval covers.
func TestFisherLevel(t *testing.T) {
	const n, m, alpha = 6, 17, 0.1
	for _, value := range []float64{0, 0.3} {
		for _, pb := range []float64{0.01, 0.05, 0.2, 0.5, 0.69} {
			pa, rejected, missed := pb+value, 0.0, 0.0
			for x := range int64(n + 1) {
				for y := range int64(m + 1) {
					p := at(x, n, pa) * at(y, m, pb)
					r := Fisher(Successes{x, n}, Successes{y, m}, value, TwoSided, math.Log(alpha))
					if r.LogP <= math.Log(alpha) {
						rejected += p
					}
					if value < r.Lo || value > r.Hi {
						missed += p
						if value != 0 && r.LogP > math.Log(alpha) {
							t.Errorf("x = %d, y = %d: [%g, %g] leaves out %g, and p = %g", x, y, r.Lo, r.Hi, value, math.Exp(r.LogP))
						}
					} else if value != 0 && r.LogP < math.Log(alpha)-1e-12 {
						t.Errorf("x = %d, y = %d: [%g, %g] holds %g, and p = %g", x, y, r.Lo, r.Hi, value, math.Exp(r.LogP))
					}
				}
			}
			if rejected > alpha || missed > alpha {
				t.Errorf("means %g and %g: level %g, interval misses with %g", pa, pb, rejected, missed)
			}
		}
	}
}

func at(x, n int64, p float64) float64 {
	return math.Exp(tail.LogBinomialAtLeast(x, n, p)) - math.Exp(tail.LogBinomialAtLeast(x+1, n, p))
}

// Each end is that of both arms' Clopper–Pearson intervals at half the level.
func TestFisherInterval(t *testing.T) {
	a, b, level := Successes{7, 30}, Successes{100, 200}, math.Log(0.05)
	r, x, y := Fisher(a, b, 0, TwoSided, level), Binomial(7, 30, 0.5, TwoSided, math.Log(0.025)), Binomial(100, 200, 0.5, TwoSided, math.Log(0.025))
	if !near(r.Lo, x.Lo-y.Hi, 1e-14) || !near(r.Hi, x.Hi-y.Lo, 1e-14) {
		t.Errorf("[%g, %g]", r.Lo, r.Hi)
	}
	r, x, y = Fisher(a, b, 0, Greater, level), Binomial(7, 30, 0.5, Greater, math.Log(0.025)), Binomial(100, 200, 0.5, Less, math.Log(0.025))
	if !near(r.Lo, x.Lo-y.Hi, 1e-14) || r.Hi != 1 {
		t.Errorf("greater: [%g, %g]", r.Lo, r.Hi)
	}
}

func TestFisherSpecial(t *testing.T) {
	none := Fisher(Successes{}, Successes{3, 5}, 0, TwoSided, -3)
	if none.LogP != 0 || none.Lo != -1 || none.Hi != 1 || len(none.Warnings) != 1 || !none.Exact {
		t.Errorf("an arm without rows: %+v", none)
	}
	if r := Fisher(Successes{4, 5}, Successes{0, 5}, 1, Less, -3); !math.IsInf(r.LogP, -1) {
		t.Errorf("impossible outcome: ln p = %g", r.LogP)
	}
	for _, r := range []Result{
		Fisher(Successes{6, 5}, Successes{0, 5}, 0, TwoSided, -3), Fisher(Successes{-1, 5}, Successes{0, 5}, 0, TwoSided, -3),
		Fisher(Successes{1, 5}, Successes{0, 5}, 1.5, TwoSided, -3), Fisher(Successes{1, 5}, Successes{0, 5}, 0, TwoSided, 1),
	} {
		if !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) || len(r.Warnings) != 1 {
			t.Errorf("%+v", r)
		}
	}
}

// A p far below the smallest float64, of arms of 10⁸ rows.
func TestFisherLarge(t *testing.T) {
	r := Fisher(Successes{60_000_000, 100_000_000}, Successes{40_000_000, 100_000_000}, 0, TwoSided, -3)
	// The dominant part is 2N·KL: N·(2·ln 2 − 2·H(0.6)) nats, the rest logarithmic.
	want := -2e8 * (math.Ln2 + 0.6*math.Log(0.6) + 0.4*math.Log(0.4))
	if math.Abs(r.LogP-want) > 20 {
		t.Errorf("ln p = %g, want about %g", r.LogP, want)
	}
}
