package hypothesis

import (
	"math"
	"testing"

	"banditaudit/analyze/moments"
)

func TestNormal(t *testing.T) {
	level := math.Log(0.05)
	r := Normal(scalar(100, 0.5+0.0196, 99), 0.5, 0.1, TwoSided, level)
	// 2·(1 − Φ(1.96)) = 0.04999579029644087, scipy.stats.norm.sf 1.17.1
	if !near(r.Statistic, 1.96, 1e-12) || !near(math.Exp(r.LogP), 0.04999579029644087, 1e-12) || !math.IsInf(r.DF, 1) || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	if !near(r.Hi-r.Lo, 2*1.959963984540054*0.01, 1e-12) {
		t.Errorf("interval [%g, %g]", r.Lo, r.Hi)
	}
	// z = 10⁴: mpmath 1.3.0 (tails.csv: normal,10000) + ln 2
	far := Normal(scalar(1, 1e4, 0), 0, 1, TwoSided, level)
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
	if r := Normal(moments.Scalar{N: 29, Mean: 0.4}, 0.5, 1, TwoSided, -3); len(r.Warnings) != 1 || math.IsNaN(r.LogP) {
		t.Errorf("29 rows: %+v", r)
	}
}
