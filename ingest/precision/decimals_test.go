package precision

import (
	"math"
	"math/rand/v2"
	"strconv"
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
		{[]float64{.1 + .2, .7}, 1},                              // sums
		{[]float64{.1849, math.Nextafter(.1849, 1)}, 4},          // dust on one value
		{[]float64{math.Round(.18493*1e4) * 1e-4, 1 - .1849}, 4}, // products
		{[]float64{.1849, .1849 + 1e-9}, 0},                      // more than dust
	} {
		var whole, first, rest Column
		whole.Take(c.values)
		first.Take(c.values[:len(c.values)/2])
		rest.Take(c.values[len(c.values)/2:])
		first.Merge(&rest)
		if first != whole {
			t.Errorf("%v: %v in two parts, %v in one", c.values, first, whole)
		}
		got := int64(0)
		if n := whole.Number(); n != nil {
			got = *n
		}
		if got != c.want {
			t.Errorf("%v: %d decimals, want %d", c.values, got, c.want)
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
	if e := (Ends{}); e.Upper(.3) != .3 || e.Lower(.3) != .3 || e.Sum([]float64{.3, .7}, 2) != 0 || e.Over(1e9, 1e8) != 0 {
		t.Error("the zero value is not exact")
	}
}

// significant writes v with so many significant digits.
func significant(v float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic(err)
	}
	return out
}

// Values that were written with significant digits lie between the ends that their
// column has, whatever their size, in float64 and in float32; of arms that add up to
// 1, the sum is as far from it as Sum says at most, and that of a column as Over says.
func TestEndsHoldWhatHasSignificantDigits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for digits := 3; digits <= MostDigits; digits++ {
		truth := []float64{1, .99999999, .1, .0100000001, .00999999999, 1e-5}
		for range 2_000 {
			truth = append(truth, math.Pow(10, -6*r.Float64()))
		}
		written := make([]float64, len(truth))
		for i, v := range truth {
			written[i] = significant(v, digits)
		}
		for name, column := range map[string][]float64{"float64": written, "float32": narrow(written)} {
			var c Column
			c.Take(column)
			if n := c.Digits(); n == nil || *n != int64(digits) {
				t.Fatalf("%d digits, %s: found %v", digits, name, n)
			}
			e, off, sum := Of(&c, nil), 0.0, 0.0
			for i, p := range column {
				off, sum = off+math.Abs(p-truth[i]), sum+p
				if lo, hi := e.Lower(p), e.Upper(p); truth[i] < lo-1e-16 || truth[i] > hi+1e-16 || e.At(p) > 5.001*math.Pow10(-digits)*p && p < 1 {
					t.Fatalf("%d digits, %s: %v was written %v, and is in [%v, %v]", digits, name, truth[i], p, lo, hi)
				}
			}
			if over := e.Over(float64(len(column)), sum); off > over+1e-6 || over > 5.001*math.Pow10(-digits)*sum+e.Room*float64(len(column)) {
				t.Errorf("%d digits, %s: sums are off by %g, and Over says %g", digits, name, off, over)
			}
		}
	}
}

// Digits are said where they leave more open than the decimals do, and nowhere else.
func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values   []float64
		declared *float64
		digits   int64   // 0: nil
		of, want float64 // At(of)
	}{
		{nil, nil, 0, .5, 0},
		{[]float64{1. / 3, 2. / 3}, nil, 0, .5, 0},
		{[]float64{.914, .0143}, nil, 3, .914, .0005},
		{[]float64{.914, .0143}, nil, 3, .0143, .00005},
		{[]float64{.914, .0143}, nil, 3, 0, .00005},       // of 0 nothing but decimals
		{[]float64{.914, .0143}, new(1e-6), 3, .9, .0005}, // a resolution is no finer than the column
		{[]float64{.914, .0143}, new(.01), 3, .9, .01},
		{[]float64{.9143, .0143}, nil, 0, .9143, .00005},
		{[]float64{.9, .05}, nil, 0, .9, .0005},
		{[]float64{.9, 1e-8}, nil, 1, .9, .0005}, // at least three digits count
		{[]float64{.9, 1e-8}, new(1e-9), 1, .9, 1e-9},
		{[]float64{.999998, 1.51495e-6}, nil, 6, .999998, 5e-7},
		{[]float64{.9999985, 1.51495e-6}, nil, 0, .9999985, 0}, // seven say nothing
		{[]float64{.125, 1e-20}, nil, 3, .125, .0005},
	} {
		var column Column
		column.Take(c.values)
		got := int64(0)
		if n := column.Digits(); n != nil {
			got = *n
		}
		if e := Of(&column, c.declared); got != c.digits || math.Abs(e.At(c.of)-c.want) > 1e-12*c.want {
			t.Errorf("%v, %v: %d digits and ±%g, want %d and ±%g", c.values, c.declared, got, e.At(c.of), c.digits, c.want)
		}
	}
	e := Ends{Room: 5e-6, Digits: 4}
	if got, want := e.Sum([]float64{.9143, .01429, 0, 0}, 3), 5e-5+5e-6+5e-6; math.Abs(got-want) > 1e-18 {
		t.Errorf("the sum of three arms of four is known to ±%g, want %g", got, want)
	}
}
