package adaptive

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A cell is that of the quantiles of the numbers before it, refreshed at powers of
// two, by counting.
func TestEighthsByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-9, 9).Draw(t, "x")) }), 1, 200).Draw(t, "numbers")
		var m Eighths
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		got := m.Cells(m.Cells(nil, x[:cut]), x[cut:])
		for i := range x {
			if want := cellByCounting(x, i); got[i] != want {
				t.Fatalf("number %d of %v: cell %d, want %d", i, x, got[i], want)
			}
		}
	})
}

func cellByCounting(x []float64, i int) uint8 {
	if i == 0 {
		return NoCell
	}
	first := 1
	for 2*first <= i {
		first *= 2
	}
	before := slices.Sorted(slices.Values(x[:first]))
	cell := uint8(0)
	for j := 1; j < 8; j++ {
		q := before[(first-1)*j/8]
		above, equal := 0, 0
		for _, v := range before {
			if v > q {
				above++
			}
			if v == q {
				equal++
			}
		}
		// of "above" and "at or above", which is nearer to its share of the numbers
		strict, loose := abs(8*above-(8-j)*first), abs(8*(above+equal)-(8-j)*first)
		if x[i] > q || x[i] == q && loose < strict {
			cell++
		}
	}
	return cell
}

// Of many numbers some 8,192 are kept, whatever their period; a coin of .9 is
// split into its two sides.
func TestEighthsOfMany(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	var smooth, period, coin Eighths
	var a, b, c []uint8
	const n = 1 << 18
	for i := range n {
		a = smooth.Cells(a, []float64{draw.NormFloat64()})
		b = period.Cells(b, []float64{float64(i % 2)})
		heads := 0.0
		if draw.Float64() < .9 {
			heads = 1
		}
		c = coin.Cells(c, []float64{heads})
	}
	for name, got := range map[string]struct {
		cells    []uint8
		least, m float64
	}{"normal": {a, .47, .53}, "0 and 1 in turn": {b, .5, .5}, "a coin of .9": {c, .895, .905}} {
		yes := 0
		for _, cell := range got.cells[n/2:] {
			yes += int(cell / 4)
		}
		if share := float64(yes) / (n / 2); share < got.least || share > got.m {
			t.Errorf("%s: %g above the median", name, share)
		}
	}
	var each [8]int
	for _, cell := range a[n/2:] {
		each[cell]++
	}
	for cell, rows := range each {
		if share := float64(rows) / (n / 2); share < .11 || share > .14 {
			t.Errorf("normal: %g in eighth %d", share, cell)
		}
	}
	if kept := len(smooth.sample); kept < eighthRows/4 || kept > 2*eighthRows {
		t.Errorf("%d numbers are kept", kept)
	}
}
