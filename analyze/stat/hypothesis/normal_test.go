package hypothesis

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

func TestNormal(t *testing.T) {
	level := math.Log(0.05)
	r := Normal(sampleOf(100, 0.5+0.0196, 0.1), 0.5, 0.1, TwoSided, level)
	// 2·(1 − Φ(1.96)) = 0.04999579029644087, scipy.stats.norm.sf 1.17.1
	if !near(r.Statistic, 1.96, 1e-12) || !near(math.Exp(r.LogP), 0.04999579029644087, 1e-12) || !math.IsInf(r.DF, 1) || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	if !near(r.Hi-r.Lo, 2*1.959963984540054*0.01, 1e-12) {
		t.Errorf("interval [%g, %g]", r.Lo, r.Hi)
	}
	// z = 10⁴: mpmath 1.3.0 (tails.csv: normal,10000) + ln 2
	far := Normal(sampleOf(1, 1e4, 0), 0, 1, TwoSided, level)
	if !near(far.LogP, -50000010.129278915+math.Ln2, 1e-12) {
		t.Errorf("z = 10⁴: ln p = %.17g", far.LogP)
	}
}

func TestNormalSpecial(t *testing.T) {
	for _, c := range []struct {
		n     int64
		sigma float64
	}{{0, 1}, {40, 0}, {40, -1}, {40, math.NaN()}, {40, math.Inf(1)}} {
		r := Normal(moments.Scalar{N: c.n, Mean: 0.4}, 0.5, c.sigma, TwoSided, -3)
		if !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) || len(r.Warnings) != 1 || math.IsNaN(r.Estimate) != (c.n == 0) {
			t.Errorf("N = %d, σ = %g: %+v", c.n, c.sigma, r)
		}
	}
	if r := Normal(sampleOf(29, 0.4, 1), 0.5, 1, TwoSided, -3); len(r.Warnings) != 1 || math.IsNaN(r.LogP) {
		t.Errorf("29 rows: %+v", r)
	}
}

// The declared σ is held against the rewards: a χ² test of both sides at 10⁻⁶,
// whose ends are 44.70 and 183.69 (R 4.2.2 qchisq, scipy 1.17.1 chi2).
func TestOtherSigma(t *testing.T) {
	for _, c := range []struct {
		m2     float64
		warned bool
	}{{0, true}, {44.6, true}, {44.8, false}, {99, false}, {183.6, false}, {183.8, true}, {1e300, true}} {
		s := moments.Scalar{N: 100, Mean: 1, M2: 4 * c.m2}
		a, b := moments.Scalar{N: 50, Mean: 1, M2: 3 * c.m2}, moments.Scalar{N: 51, Mean: 5, M2: c.m2}
		for _, r := range []Result{Normal(s, 0, 2, TwoSided, -3), NormalDifference(a, b, 0, 2, TwoSided, -3)} {
			if math.IsNaN(r.LogP) || (len(r.Warnings) == 1) != c.warned || c.warned && !strings.Contains(r.Warnings[0], "times the declared sigma 2") {
				t.Errorf("χ² = %g: %+v", c.m2, r)
			}
		}
	}
}
