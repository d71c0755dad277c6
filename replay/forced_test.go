package replay

import (
	"math"
	"testing"
)

// Two arms, rounds 1 and 2 forced, round 3 plays the larger of y_i + Lap(b):
//
//	P(a_3 = 1 | y_1, y_2) = G(y_2 − y_1),  G(x) = ¼e^{−x/b}(2 + x/b) for x ≥ 0,
//	G(x) = 1 − G(−x)
//
// (own derivation). It is PrivUCB without a bonus after one row per arm: both
// counters have released a first logarithmic node, of scale b = 2/ε, and the
// widths are equal.
func forcedG(x, b float64) float64 {
	if x < 0 {
		return 1 - forcedG(-x, b)
	}
	return math.Exp(-x/b) * (2 + x/b) / 4
}

// Printed values: P when y_1 goes from 0 to 1, and the log ratios of both
// answers, for b = 1, 2, 5, and P itself; by Python 3.11:
//
//	from math import exp, log
//	for b in (1, 2, 5): p = 1 - exp(-1/b)*(2 + 1/b)/4; print(b, log(2*p), -log(2 - 2*p), p)
func TestForcedVectors(t *testing.T) {
	for _, tt := range []struct{ b, first, second float64 }{
		{1, .3703081745, .5945348919},
		{2, .2165914735, .2768564487},
		{5, .0947610942, .1046898202},
	} {
		p0, p1 := forcedG(0, tt.b), forcedG(-1, tt.b)
		first, second := math.Log(p1/p0), math.Log((1-p0)/(1-p1))
		if math.Abs(first-tt.first) > 5e-11 || math.Abs(second-tt.second) > 5e-11 {
			t.Errorf("b = %v: losses %v and %v, want %v and %v", tt.b, first, second, tt.first, tt.second)
		}
	}
	if p := forcedG(-1, 1); math.Abs(p-.7240904191) > 5e-11 {
		t.Errorf("P = %v", p)
	}
}

// The mechanism itself has those probabilities, and its ledger bounds the
// losses. 40,000 runs per case; at 5 standard errors, .0125 or less, six comparisons reject a
// right mechanism with probability below 4·10⁻⁶. On the grid 2^-20 the
// probability differs from the continuous one by less than 10⁻⁶.
func TestForcedRoundHasItsProbability(t *testing.T) {
	runs := 40_000
	if testing.Short() {
		runs = 20_000
	}
	for _, tt := range []struct {
		epsilon string
		b       float64
	}{{"2", 1}, {"1", 2}, {"2/5", 5}} {
		m := build(t, privUCB(tt.epsilon, "none", 0), 2)
		for _, y1 := range []float64{0, 1} {
			first := 0
			for run := range runs {
				r := m.NewRunner(Seed(int64(run)), tt.epsilon)
				r.Next(nil)
				r.Add(0, y1)
				r.Next(nil)
				r.Add(1, 0)
				if r.Next(nil) == 0 {
					first++
				}
			}
			want := forcedG(-y1, tt.b)
			got := float64(first) / float64(runs)
			if math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/float64(runs)) {
				t.Errorf("b = %v, y_1 = %v: arm 1 in a share of %v, want %v", tt.b, y1, got, want)
			}
		}
		bound := m.Law().Cost(1, 1).Float()
		if bound != 1/tt.b {
			t.Errorf("b = %v: the ledger says %v, want 1/b", tt.b, bound)
		}
		p0, p1 := forcedG(0, tt.b), forcedG(-1, tt.b)
		if loss := math.Max(math.Log(p1/p0), math.Log((1-p0)/(1-p1))); loss > bound {
			t.Errorf("b = %v: loss %v above the ledger's %v", tt.b, loss, bound)
		}
	}
}
