package aggregate

import (
	"math"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// several are experiments with one test each, with these p.
func several(method string, floored bool, p ...float64) *families {
	f := &families{}
	for i, p := range p {
		f.add(i, &Family{
			Method: method, Alpha: .05, IDs: []string{"H"}, Raw: []float64{math.NaN()}, Deciding: []float64{math.Log(p)},
			Evidence: []float64{0}, Floored: []bool{floored && p <= .01},
		})
	}
	return f
}

// TestFloored: a test whose p is the smallest of its runs, and is not small enough for the
// family, is a caution with the runs that it would take; one that is rejected is none.
func TestFloored(t *testing.T) {
	t.Parallel()
	names := strings.Split(strings.Repeat("e,", 40), ",")
	p := []float64{.01, .01}
	for len(p) < 40 {
		p = append(p, .5)
	}
	for _, c := range []struct {
		method  string
		floored bool
		p       []float64
		count   int64
		draws   int64
		words   string
	}{
		{schemas.AdjustHolm, true, p, 2, 800, "2 tests have the smallest p that the runs of the policy allow. One family over all experiments cannot reject at that p. It could with analysis.rerun.draws: 800"},
		{schemas.AdjustBY, true, p, 2, 3423, "draws: 3423"}, // 40·(1 + 1/2 + … + 1/40)/.05 = 3422.8…
		{schemas.AdjustEBH, true, p, 2, 0, "cannot reject at that p"},
		{schemas.AdjustHolm, false, p, 0, 0, ""},
		{schemas.AdjustHolm, true, []float64{.01, .5}, 0, 0, ""},
		{schemas.AdjustNone, true, p, 0, 0, ""},
	} {
		got := several(c.method, c.floored, c.p...).summary(names)
		if got.Floored != c.count || got.Draws != c.draws || !strings.Contains(got.Caution, c.words) || (got.Caution == "") != (c.count == 0) {
			t.Errorf("%s: %d, %d, %q", c.method, got.Floored, got.Draws, got.Caution)
		}
	}
}

// TestCombined: as scipy.stats.combine_pvalues has it (SciPy, [.01, .2, .5] and [.01, .2, 1]); an
// experiment in which no p decides takes part as p = 1. Units that may be in several experiments
// leave nothing combined.
func TestCombined(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c"}
	for want, p := range map[float64][]float64{0.03176629677613493: {.01, .2, .5}, 0.05305057001381907: {.01, .2, math.NaN()}} {
		f := several(schemas.AdjustHolm, false, p...)
		got := f.summary(names).Combined
		if len(got) != 1 || got[0].Test != "H" || got[0].Experiments != 3 || math.Abs(*got[0].P-want) > 1e-12 {
			t.Errorf("%+v, want %g", got, want)
		}
		f.units = true
		if got = f.summary(names).Combined; got != nil {
			t.Errorf("units: %+v", got)
		}
	}
}
