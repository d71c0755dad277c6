package rounding

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// What rounding moves a value by is found from the rounded column alone, and is
// no less than what it was.
func TestResolutionCoversRounding(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 40, 60).Draw(r, "values")
		places := rapid.IntRange(0, 8).Draw(r, "places")
		round := func(v float64) float64 {
			if places == 8 {
				return float64(float32(v))
			}
			return math.Round(v*math.Pow10(places)) / math.Pow10(places)
		}
		column := Resolution{grid: 0x1p-30}
		for _, v := range values {
			column.Take([]float64{round(v)}, 1)
		}
		for _, v := range values {
			if rounded := round(v); math.Abs(v-rounded) > column.Off(rounded)*(1+1e-6)+SameSum {
				r.Errorf("%v is logged as %v, and off by %v at most", v, rounded, column.Off(rounded))
			}
		}
	})
}

// On the lattice of the counter nothing is rounded, nor where all is 0.
func TestResolutionOfWhatIsNotRounded(t *testing.T) {
	for name, values := range map[string][]float64{
		"grid": {1.0 / 3, 1000.5 + 0x1p-20, -77.25 + 0x1p-19}, "zero": {0, 0},
	} {
		column := Resolution{grid: 0x1p-20}
		column.Take(values, 1)
		if column.Rounds() {
			t.Errorf("%s: %+v", name, column)
		}
	}
}

// inDigits writes v with so many significant digits.
func inDigits(v float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic(err) // what was formatted is a number
	}
	return out
}

// Significant digits move a value by half a unit of the last at most, and those of the
// lattice of the counter by nothing.
func TestResolutionOfSignificantDigits(t *testing.T) {
	t.Parallel()
	for digits := 3; digits <= 6; digits++ {
		column := Resolution{grid: 0x1p-30}
		for i := range 500 {
			column.Take([]float64{inDigits(math.Exp(float64(i%23)-10)*math.Pi*float64(i+1), digits)}, 1)
		}
		for i := range 500 {
			v := math.Exp(float64(i%23)-10) * math.Pi * float64(i+1)
			if w := inDigits(v, digits); math.Abs(v-w) > column.Off(w)*(1+1e-9) || column.Off(w) > 5.001*math.Pow10(-digits)*w {
				t.Errorf("%d digits: %v is logged as %v, and off by %v at most", digits, v, w, column.Off(w))
			}
		}
	}
	whole := Resolution{grid: 1}
	if whole.Take([]float64{123_456, 1_000, -77}, 3); whole.Rounds() {
		t.Error("whole numbers of a counter of whole numbers are rounded")
	}
}
