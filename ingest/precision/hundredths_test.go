package precision

import (
	"math/rand/v2"
	"testing"
)

// Rounded propensities of many values are found, and what is exact of other logs is not.
func TestHundredths(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 9))
	shares := func(n int) func(int) float64 { return func(int) float64 { return float64(r.IntN(n+1)) / float64(n) } }
	in := func(values ...float64) func(int) float64 {
		return func(i int) float64 { return values[i%len(values)] }
	}
	full := func(int) float64 { return r.Float64() }
	for name, c := range map[string]struct {
		of   func(int) float64
		want bool
	}{
		"two decimals":              {func(i int) float64 { return places(2)(full(i)) }, true},
		"in float32":                {func(i int) float64 { return inSingle(places(2)(full(i))) }, true},
		"what is left of the other": {func(i int) float64 { return 1 - places(2)(full(i)) }, true},
		"a few of two decimals":     {in(.31, .33, .34, .35, .36, .37, .38, .39, .41, .42), true},
		"fewer":                     {in(.31, .33, .34, .35, .36, .37, .38, .39, .41), false},
		"in full":                   {full, false},
		"three decimals":            {func(i int) float64 { return places(3)(full(i)) }, false},
		"one decimal":               {func(i int) float64 { return places(1)(full(i)) }, false},
		"ε-greedy":                  {in(.9, .1, .05, .95, .925, .025), false},
		"ε-greedy of two decimals":  {in(.97, .01), false},
		"uniform over eligible":     {in(1./2, 1./3, 1./4, 1./5, 1./6, 1./7, 1./8, 1./9, 1./10, 1./11, 1./12), false},
		"10 draws":                  {shares(10), false},
		"20 draws":                  {shares(20), false},
		"30 draws":                  {shares(30), false},
		"50 draws":                  {shares(50), false},
		"1000 draws":                {shares(1000), false},
		"steps of a schedule":       {func(i int) float64 { return float64(i%19+1) / 20 }, false},
		"one value":                 {in(.5), false},
	} {
		var h, first, rest Hundredths
		arm, p := make([]int32, 600), make([]float64, 600)
		for i := range p {
			arm[i], p[i] = int32(i%2), c.of(i/2)
		}
		h.Take(2, arm, p)
		first.Take(2, arm[:100], p[:100])
		rest.Take(2, arm[100:], p[100:])
		if first.Merge(&rest); h.Rounded(10) != first.Rounded(10) || h.Rounded(10) > 0 != c.want {
			t.Errorf("%s: %d values, in two parts %d", name, h.Rounded(10), first.Rounded(10))
		}
	}
	// Probabilities that every arm has its own one of, however many arms there are.
	var h Hundredths
	for arm := range int32(40) {
		h.Take(40, []int32{arm}, []float64{float64(arm+1) / 100})
	}
	if n := h.Rounded(10); n != 0 {
		t.Errorf("one probability for each arm: %d", n)
	}
}

// A part of two decimals is found beside values in full, and not where it is small.
func TestHundredthsPartly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 9))
	for _, c := range []struct {
		every, want int // one in so many is rounded
	}{{2, 1}, {50, 1}, {1000, 0}, {1 << 30, 0}, {1, 0}} {
		var h Hundredths
		p, arm := make([]float64, 20_000), make([]int32, 20_000)
		for i := range p {
			if p[i] = r.Float64(); i%c.every == 0 {
				p[i] = places(2)(p[i])
			}
		}
		h.Take(1, arm, p)
		if got := min(1, h.Partly(10)); got != c.want {
			t.Errorf("one in %d: %d, want %d", c.every, got, c.want)
		}
	}
}
