package randomization

import (
	"errors"
	"math"
	"testing"
)

var errShift = errors.New("a shift")

func TestGrid(t *testing.T) {
	t.Parallel()
	g := Grid{Width: 2.5}
	if g.At(0) != -2.5 || g.At(Steps) != 2.5 || g.At(Steps/2) != 0 || g.Step() != .025 {
		t.Errorf("from %g to %g by %g, middle %g", g.At(0), g.At(Steps), g.Step(), g.At(Steps/2))
	}
}

// The hull goes from the outermost shifts that are accepted to the rejected ones beside
// them, also where some between are rejected; what lies between is not tried.
func TestGridSearch(t *testing.T) {
	t.Parallel()
	g, nan := Grid{Width: 1}, math.NaN()
	in := func(lo, hi float64) func(float64) bool { return func(d float64) bool { return d >= lo && d <= hi } }
	for name, c := range map[string]struct {
		side     Side
		also     float64
		accepted func(float64) bool
		want     Hull
	}{
		"both":           {Both, nan, in(-.105, .305), Hull{-.11, .31, false, 91 + 71}},
		"holes":          {Both, nan, func(d float64) bool { return in(-.105, -.095)(d) || in(.295, .305)(d) }, Hull{-.11, .31, false, 90 + 70 + 2}},
		"one":            {Both, nan, in(.195, .205), Hull{.19, .21, false, 121 + 80}},
		"one, known":     {Both, .2, in(.195, .205), Hull{.19, .21, false, 121 + 80}},
		"none":           {Both, nan, in(2, 3), Hull{math.Inf(1), math.Inf(-1), true, 201}},
		"none but one":   {Both, .2044, in(2, 3), Hull{.2, .21, false, 201}},
		"one outside":    {Both, .5, in(-.105, .305), Hull{-.11, .51, false, 162}},
		"all":            {Both, nan, in(-2, 2), Hull{-1, 1, false, 2}},
		"the lower half": {Both, nan, in(-2, .001), Hull{-1, .01, false, 102}},
		"more":           {First, nan, in(-.105, 2), Hull{-.11, 1, false, 91}},
		"less":           {Second, nan, in(-2, .305), Hull{-1, .31, false, 71}},
		"less, none":     {Second, nan, in(2, 3), Hull{-1, math.Inf(-1), true, 201}},
		"less, the last": {Second, nan, in(-2, -.995), Hull{-1, -.99, false, 201}},
	} {
		got, err := g.Search(t.Context(), c.side, c.also, func(d float64) (bool, error) { return c.accepted(d), nil })
		if err != nil {
			t.Fatal(err)
		}
		if got.Empty != c.want.Empty || math.Abs(got.Lo-c.want.Lo) > 1e-12 || math.Abs(got.Hi-c.want.Hi) > 1e-12 || got.Tried != c.want.Tried {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if _, err := g.Search(t.Context(), Both, nan, func(float64) (bool, error) { return false, errShift }); !errors.Is(err, errShift) {
		t.Errorf("the error of a shift: %v", err)
	}
}

// So many runs decide as all would, whichever of them reach the statistic.
func TestDecided(t *testing.T) {
	t.Parallel()
	if n := Decided(999, 20, .05); n != 400 {
		t.Errorf("20 exceedances at .05: %d runs, want 400", n)
	}
	p := func(draws, h int, reaches func(int) bool) float64 {
		g := 0
		for l := 1; l <= draws; l++ {
			if reaches(l) {
				g++
			}
			if g == h {
				return float64(h) / float64(l)
			}
		}
		return float64(g+1) / float64(draws+1)
	}
	for _, draws := range []int{99, 199, 999} {
		for _, h := range []int{1, 5, 20, 60} {
			for _, alpha := range []float64{.01, .05, .1} {
				few := Decided(draws, h, alpha)
				for every := 1; every < 130; every++ {
					for from := 0; from < 600; from += 97 {
						hit := func(l int) bool { return l > from && (l-from)%every == 0 }
						if all, some := p(draws, h, hit), p(few, h, hit); (all <= alpha) != (some <= alpha) {
							t.Fatalf("%d draws, %d exceedances, alpha %g, every %d from %d: p %g of all, %g of %d", draws, h, alpha, every, from, all, some, few)
						}
					}
				}
			}
		}
	}
}

// Rewards less the shift are the same whatever arm was played.
func TestShifted(t *testing.T) {
	t.Parallel()
	l := &Log{Arms: 2, Arm: []int32{0, 1, 1, 0}, Reward: []float64{.5, .25, math.NaN(), .75}, Centred: []float64{1, 2, 3, 4}}
	out := l.Shifted(1, -.5, make([]float64, 4))
	if out.Centred != nil || out.Reward[0] != .5 || out.Reward[1] != .75 || out.Reward[2] == out.Reward[2] || out.Reward[3] != .75 || l.Reward[1] != .25 {
		t.Errorf("%+v", out)
	}
}
