package noise

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Laplace noise that is cut off at five scales is found in 3,000 draws, where
// e^{−5}·3000 = 20 are to be expected beyond: j(j+1)·(1−e^{−5})^3000 = 110·1.7e-9.
// No other test rejects it.
func TestTruncatedNoise(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		src := rand.NewPCG(61, 61)
		draws := design(1500, 2, 0x1p-20, 1)
		for i := range draws {
			for draws[i].Value = simulated(src, &draws[i]); math.Abs(draws[i].Value) > 10; {
				draws[i].Value = simulated(src, &draws[i])
			}
		}
		r := Fit(Input{Draws: draws, Stopped: stopped})
		for _, x := range r.Tests {
			if want := x.Name == "shape"; x.Rejected != want {
				t.Errorf("%+v", x)
			}
		}
		if x := r.Tests[1]; x.Statistic != 5 || !near(x.P, 3*110*math.Pow(1-math.Exp(-5), 3000), 1e-9) || !strings.HasPrefix(x.Detail, "noise that is cut off: of 3000 draws none has w above 5;") {
			t.Errorf("%+v", x)
		}
	}
}

// The evidence against an end is a martingale under the law: stopped where it is
// largest, it rejects no more than the level of logs.
func TestTruncatedKeepsItsLevel(t *testing.T) {
	const length, level = 400, 0.2
	runs := 2000
	if testing.Short() {
		runs = 300
	}
	r, found, least := rand.New(rand.NewPCG(67, 67)), 0, 1.0
	for range runs {
		w, best := make([]float64, length), 1.0
		for i := range w {
			w[i] = r.ExpFloat64()
			p, _ := truncated(w[:i+1])
			best = min(best, p)
		}
		if least = min(least, best); best <= level {
			found++
		}
	}
	if found >= tooMany(runs, level) || least == 1 {
		t.Errorf("%d of %d honest logs are rejected at level %v; the smallest P is %v", found, runs, level, least)
	}
	for _, w := range [][]float64{nil, {1, math.Inf(1)}, {1, math.NaN()}} {
		if p, at := truncated(w); p != 1 || !math.IsNaN(at) {
			t.Errorf("%v: %v, %v", w, p, at)
		}
	}
}
