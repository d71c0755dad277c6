package decimals

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   int64 // 0: nil
	}{
		{nil, 0},
		{[]float64{1, 0}, 1},
		{[]float64{.5, .5}, 1},
		{[]float64{.5, .25}, 2},
		{[]float64{.333333, .5}, 6},
		{[]float64{float64(float32(.333)), .5}, 3},
		{[]float64{.0000001}, 7},
		{[]float64{.00000001}, 0},
		{[]float64{1. / 3, .5}, 0},
	} {
		var whole, first, rest Column
		whole.Take(c.values)
		first.Take(c.values[:len(c.values)/2])
		rest.Take(c.values[len(c.values)/2:])
		first.Merge(&rest)
		if first != whole {
			t.Errorf("%v: %d in two parts, %d in one", c.values, first, whole)
		}
		got := int64(0)
		if n := whole.Number(); n != nil {
			got = *n
		}
		if got != c.want {
			t.Errorf("%v: %d decimals, want %d", c.values, got, c.want)
		}
		if half := whole.Half(); c.want > 0 && half != .5/math.Pow10(int(c.want)) || c.want == 0 && half != 0 {
			t.Errorf("%v: half a unit is %g", c.values, half)
		}
	}
}

// Values that were rounded lie between the ends that their column has.
func TestEndsHoldWhatWasRounded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for digits := 3; digits <= 9; digits++ {
		unit := math.Pow10(digits)
		var truth, written []float64
		for range 1_000 {
			p := r.Float64()
			truth, written = append(truth, p), append(written, math.Round(p*unit)/unit)
		}
		for name, column := range map[string][]float64{"decimals": written, "float32": narrow(truth), "both": narrow(written)} {
			var c Column
			c.Take(column)
			e := Of(&c, nil)
			for i, p := range column {
				const room = 5e-9 // above 7 decimals nothing is asked of rounding
				if lo, hi := e.Lower(p), e.Upper(p); truth[i] < lo-room || truth[i] > hi+room || lo < 0 || hi > 1 {
					t.Fatalf("%d digits, %s: %v is outside [%v, %v]", digits, name, truth[i], lo, hi)
				}
			}
		}
	}
}

func narrow(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(float32(v))
	}
	return out
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values   []float64
		declared *float64
		want     float64
	}{
		{[]float64{.5}, nil, .0005},         // at least three decimals count
		{[]float64{.5}, new(1e-5), 1e-5},    // what is declared replaces these
		{[]float64{.333}, new(1e-5), .0005}, // and rounds no finer than the column
		{[]float64{.333}, new(.02), .02},
		{[]float64{.3333}, nil, .00005},
		{[]float64{1. / 3}, nil, 0},
		{[]float64{1. / 3}, new(1e-5), 1e-5},
		{nil, nil, 0},
	} {
		var column Column
		column.Take(c.values)
		if e := Of(&column, c.declared); e.Room != c.want {
			t.Errorf("%v, %v: %g, want %g", c.values, c.declared, e.Room, c.want)
		}
	}
	if e := (Ends{}); e.Upper(.3) != .3 || e.Lower(.3) != .3 || e.Sum(10) != 0 || e.Nearer(-2, 1e9) != -2 {
		t.Error("the zero value is not exact")
	}
	e := Ends{Room: .001}
	if e.Nearer(5, 1_000) != 4 || e.Nearer(-5, 1_000) != -4 || e.Nearer(.5, 1_000) != 0 {
		t.Error("Nearer")
	}
}
