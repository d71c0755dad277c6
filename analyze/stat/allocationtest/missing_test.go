package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// References by SciPy 1.17.1: stats.chi2_contingency(table, correction=False)
// and min(1, 2·min(hypergeom.cdf(x, n, m, k), hypergeom.sf(x − 1, n, m, k))),
// the smallest over arms times their number.
func TestMissingLogP(t *testing.T) {
	for name, c := range map[string]struct {
		missing, rows []int64
		p             float64
		exact         bool
	}{
		"chi-square":          {[]int64{80, 20}, []int64{400, 600}, 7.524003528881426e-18, false},
		"near the level":      {[]int64{60, 50}, []int64{400, 600}, 0.00096399643822185, false},
		"few missing":         {[]int64{3, 0}, []int64{400, 600}, 2 * 0.12742361600077032, true},
		"all of a small arm":  {[]int64{2, 0}, []int64{2, 48}, 2 * 0.0016326530612244899, true},
		"equal":               {[]int64{10, 20, 30}, []int64{100, 200, 300}, 1, false},
		"an arm without rows": {[]int64{80, 0, 20}, []int64{400, 0, 600}, 7.524003528881426e-18, false},
		"one arm":             {[]int64{3}, []int64{10}, 1, true},
		"none missing":        {[]int64{0, 0}, []int64{10, 10}, 1, true},
		"all missing":         {[]int64{10, 10}, []int64{10, 10}, 1, true},
	} {
		logP, exact := MissingLogP(c.missing, c.rows)
		if p := math.Exp(logP); math.Abs(p/c.p-1) > 1e-10 || exact != c.exact {
			t.Errorf("%s: p %v (exact: %v), want %v", name, p, exact, c.p)
		}
	}
}

// Honest logs are noted at most as often as the level says: with p ≤ 0.05 in
// 2,000 logs with small arms, more than 140 have probability below 1e-5 at 5 %.
func TestMissingFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	found := 0
	for range 2000 {
		rows, missing := []int64{8, 30, 200}, make([]int64, 3)
		for a, n := range rows {
			for range n {
				if r.Float64() < 0.1 {
					missing[a]++
				}
			}
		}
		if logP, _ := MissingLogP(missing, rows); logP <= math.Log(0.05) {
			found++
		}
	}
	if found > 140 {
		t.Errorf("%d of 2000 honest logs have p ≤ 0.05", found)
	}
}

// Reference by SciPy 1.17.1: the formula of KnownLogP with stats.chi2.logsf(·, 3).
func TestKnownLogP(t *testing.T) {
	hundred := [2]int64{100, 100}
	for want, known := range map[float64][][2]int64{
		-18.483545565049308: {{60, 90}, {80, 100}, {90, 95}, {100, 98}},
		0:                   {{60, 90}, {60, 90}, {60, 90}, {60, 90}}, // by arm alone
	} {
		var of []KnownPart
		for _, k := range known {
			of = append(of, KnownPart{k, hundred})
		}
		if got := KnownLogP(of); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: ln p %.15g, want %.15g", known, got, want)
		}
	}
	if got := KnownLogP([]KnownPart{{[2]int64{1, 9}, [2]int64{9, 9}}}); got != 0 {
		t.Errorf("one part: ln p %g", got)
	}
}
