package adaptive

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A side is that of the median of the numbers before it, refreshed at powers of
// two, by sorting them.
func TestMedianSplitBySorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-3, 3).Draw(t, "x")) }), 1, 200).Draw(t, "numbers")
		var m MedianSplit
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		got := m.Sides(m.Sides(nil, x[:cut]), x[cut:])
		for i := range x {
			if want := sideBySorting(x, i); got[i] != want {
				t.Fatalf("number %d of %v: side %d, want %d", i, x, got[i], want)
			}
		}
	})
}

func sideBySorting(x []float64, i int) Side {
	if i == 0 {
		return SideUnknown
	}
	first := 1
	for 2*first <= i {
		first *= 2
	}
	before := slices.Sorted(slices.Values(x[:first]))
	median := before[(first-1)/2]
	above, equal := 0, 0
	for _, v := range before {
		if v > median {
			above++
		}
		if v == median {
			equal++
		}
	}
	// of "above" and "at or above", which is nearer to half of the numbers
	strict, loose := abs(2*above-first), abs(2*(above+equal)-first)
	if x[i] > median || x[i] == median && loose < strict {
		return SideYes
	}
	return SideNo
}

// Of many numbers some 8,192 are kept, whatever their period; a coin of .9 is
// split into its two sides.
func TestMedianSplitOfMany(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	var smooth, period, coin MedianSplit
	var a, b, c []Side
	const n = 1 << 18
	for i := range n {
		a = smooth.Sides(a, []float64{draw.NormFloat64()})
		b = period.Sides(b, []float64{float64(i % 2)})
		heads := 0.0
		if draw.Float64() < .9 {
			heads = 1
		}
		c = coin.Sides(c, []float64{heads})
	}
	for name, got := range map[string]struct {
		sides    []Side
		least, m float64
	}{"normal": {a, .47, .53}, "0 and 1 in turn": {b, .5, .5}, "a coin of .9": {c, .895, .905}} {
		yes := 0
		for _, side := range got.sides[n/2:] {
			yes += int(side)
		}
		if share := float64(yes) / (n / 2); share < got.least || share > got.m {
			t.Errorf("%s: %g above the median", name, share)
		}
	}
	if kept := len(smooth.sample); kept < medianRows/4 || kept > 2*medianRows {
		t.Errorf("%d numbers are kept", kept)
	}
}
