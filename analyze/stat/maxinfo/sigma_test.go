package maxinfo

import (
	"math"
	"math/bits"
	"testing"
)

// hybridCosts returns the cost of each of n rows of one arm under the hybrid
// counter at budget eps, by the definition: a row is charged eps/2 for the
// logarithmic node that covers it and eps/(2k) for every node of its segment's
// binary tree that covers it, if that node was finished within the n rows.
func hybridCosts(n int, eps float64) []float64 {
	costs := make([]float64, n)
	charge := func(first, last int, c float64) {
		for t := first; t <= last; t++ {
			costs[t-1] += c
		}
	}
	for t := 1; t <= n; t++ {
		k := bits.Len(uint(t)) - 1
		r := t - 1<<k
		if r == 0 { // the logarithmic node over (t/2, t]
			charge(t/2+1, t, eps/2)
			continue
		}
		size := 1 << bits.TrailingZeros(uint(r)) // the tree node finished at t
		charge(t-size+1, t, eps/(2*float64(k)))
	}
	return costs
}

func hybridLevels(n int, eps float64) []Level {
	levels := make([]Level, 0, n)
	for _, c := range hybridCosts(n, eps) {
		levels = append(levels, Level{Cost: c, Rows: 1})
	}
	return levels
}

// The per-row costs and the ratios printed on the formula sheet, so that the
// end-to-end line below rests on the right ledger.
func TestHybridCostsPrinted(t *testing.T) {
	want := map[int][]float64{
		7:  {.5, .5, 1, .5, .5, .25, .25},
		8:  {.5, .5, 1, .5, 1, .75, .75, .5},
		16: {.5, .5, 1, .5, 1, .75, .75, .5, 1, .8333, .8333, .6667, .8333, .6667, .6667, .5},
	}
	for n, w := range want {
		for i, got := range hybridCosts(n, 1) {
			if math.Abs(got-w[i]) > 5e-5 {
				t.Errorf("n = %d, row %d costs %g, printed %g", n, i+1, got, w[i])
			}
		}
	}
	for n, ratio := range map[int]float64{25: .387292, 100: .395667, 500: .328018} {
		sum := 0.0
		for _, c := range hybridCosts(n, 1) {
			sum += c * c
		}
		if math.Abs(sum/float64(n)-ratio) > 5.01e-7 {
			t.Errorf("n = %d: mean squared cost %.7f, printed %g", n, sum/float64(n), ratio)
		}
	}
}

func TestSigmaPrinted(t *testing.T) {
	got := Sigma([]Level{{.5, 1}, {.25, 2}, {1, 1}})
	if math.Abs(got-.58318969) > 5.001e-9 {
		t.Errorf("Sigma = %.9f, printed .58318969", got)
	}
}

// The end-to-end line: PrivUCB, T = 500, K = 20, hybrid counter, 25 pulls.
func TestEndToEndPrinted(t *testing.T) {
	for _, r := range []struct{ eps, sigma, corrected float64 }{
		{.0025, .00388955, .05047792},
		{.05, .07779010, .06030457},
		{1, 1.54909161, .66778394},
	} {
		sigma := Sigma(hybridLevels(25, r.eps))
		if math.Abs(sigma-r.sigma) > 5.001e-9 {
			t.Errorf("ε = %g: σ = %.9f, printed %g", r.eps, sigma, r.sigma)
		}
		p := math.Exp(Corrected(math.Log(.05), sigma))
		if math.Abs(p-r.corrected) > 5.001e-9 {
			t.Errorf("ε = %g: corrected p = %.9f, printed %g", r.eps, p, r.corrected)
		}
	}
}

func TestSigmaSpecial(t *testing.T) {
	inf := math.Inf(1)
	for _, r := range []struct {
		name   string
		levels []Level
		want   float64
	}{
		{"none", nil, 0},
		{"infinite cost", []Level{{.5, 3}, {inf, 1}}, inf},
		{"infinite cost without rows", []Level{{inf, 0}}, 0},
		{"negative cost", []Level{{-1, 1}}, math.NaN()},
		{"NaN cost", []Level{{math.NaN(), 1}}, math.NaN()},
		{"rows below zero", []Level{{1, -4}}, 0},
	} {
		got := Sigma(r.levels)
		if got != r.want && !(math.IsNaN(got) && math.IsNaN(r.want)) {
			t.Errorf("%s: Sigma = %g, want %g", r.name, got, r.want)
		}
	}
}
