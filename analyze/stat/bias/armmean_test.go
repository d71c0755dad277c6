package bias

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func TestArmMeanReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "tanh4") {
		if got := ArmMean([]Level{{r[0], 3}}); !same(got, r[1], 4e-16) {
			t.Errorf("cost %g: %.17g, want %.17g", r[0], got, r[1])
		}
	}
}

// The vectors printed on the formula sheet, to the last digit.
func TestArmMeanPrinted(t *testing.T) {
	for _, r := range []struct{ c, want float64 }{
		{.05, .0124993}, {.1, .0249948}, {.5, .1243530}, {1, .2449187}, {2, .4621172},
	} {
		if got := ArmMean([]Level{{r.c, 1}}); math.Abs(got-r.want) > 5.001e-8 {
			t.Errorf("tanh(%g/4) = %.9f, printed %g", r.c, got, r.want)
		}
	}
}

// hybridLevels lists the cost of each of n rows under the hybrid counter at
// budget eps, by the definition: eps/2 for the finished logarithmic node over a
// row and eps/(2k) for every finished node of its segment's tree over it.
func hybridLevels(n int, eps float64) []Level {
	levels := make([]Level, n)
	charge := func(first, last int, c float64) {
		for t := first; t <= last; t++ {
			levels[t-1].Rows, levels[t-1].Cost = 1, levels[t-1].Cost+c
		}
	}
	for t := 1; t <= n; t++ {
		k := bits.Len(uint(t)) - 1
		if r := t - 1<<k; r == 0 {
			charge(t/2+1, t, eps/2)
		} else {
			charge(t-1<<bits.TrailingZeros(uint(r))+1, t, eps/(2*float64(k)))
		}
	}
	return levels
}

// The end-to-end line: PrivUCB, T = 500, K = 20, hybrid counter, 25 pulls.
func TestEndToEndPrinted(t *testing.T) {
	for _, r := range []struct{ eps, want float64 }{{.0025, .00035312}, {.05, .00706231}, {1, .13972954}} {
		if got := ArmMean(hybridLevels(25, r.eps)); math.Abs(got-r.want) > 5.001e-9 {
			t.Errorf("ε = %g: %.10f, printed %g", r.eps, got, r.want)
		}
	}
}

func TestArmMeanSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		name   string
		levels []Level
		want   float64
	}{
		{"none", nil, nan},
		{"no rows", []Level{{1, 0}, {nan, -2}}, nan},
		{"free", []Level{{0, 7}}, 0},
		{"infinite", []Level{{inf, 1}, {0, 3}}, 0.25},
		{"negative", []Level{{-1, 1}}, nan},
		{"NaN", []Level{{nan, 1}, {1, 1}}, nan},
	} {
		if got := ArmMean(r.levels); !same(got, r.want, 0) {
			t.Errorf("%s: %g, want %g", r.name, got, r.want)
		}
	}
}

// The bound lies below tanh(ε/4), ε the largest cost, and below the published one.
func TestArmMeanProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.Float64Range(0, 20), 1, 20).Draw(t, "costs")
		var levels []Level
		eps := 0.0
		for _, c := range costs {
			levels = append(levels, Level{c, rapid.Int64Range(1, 1e6).Draw(t, "rows")})
			eps = max(eps, c)
		}
		if got := ArmMean(levels); got < 0 || got > math.Tanh(eps/4)*(1+1e-14) || got > Paper(eps) {
			t.Fatalf("bound %g at ε = %g", got, eps)
		}
	})
}
