package precision

import (
	"math"
	"testing"
)

// halved is the float16 nearest to v in [0, 1].
func halved(v float64) float64 {
	_, e := math.Frexp(v)
	unit := math.Ldexp(1, max(e, -13)-11)
	return math.RoundToEven(v/unit) * unit
}

// columnOf are n numbers of (0, 1), each written in one of several ways, in turn.
func columnOf(n int, ways ...func(v float64) float64) (truth, written []float64) {
	for i := range n {
		v := math.Mod(float64(i+1)*math.Phi, 1)
		truth, written = append(truth, v), append(written, ways[i%len(ways)](v))
	}
	return truth, written
}

func places(k int) func(v float64) float64 {
	return func(v float64) float64 { return math.Round(v*math.Pow10(k)) / math.Pow10(k) }
}

func inFull(v float64) float64 { return v }

func inSingle(v float64) float64 { return float64(float32(v)) }

// Values of a column that was written in several ways lie between the ends that it
// has, and those in full are exact; a column of one precision is none of these.
func TestMixed(t *testing.T) {
	t.Parallel()
	digit := func(k int) func(v float64) float64 { return func(v float64) float64 { return significant(v, k) } }
	for name, c := range map[string]struct {
		ways []func(v float64) float64
		own  int64 // 0: not mixed
		half bool
	}{
		"full":            {[]func(v float64) float64{inFull}, 0, false},
		"float32":         {[]func(v float64) float64{inSingle}, 0, false},
		"full, float32":   {[]func(v float64) float64{inFull, inSingle}, 0, false},
		"3 decimals":      {[]func(v float64) float64{places(3)}, 0, false},
		"6 decimals":      {[]func(v float64) float64{places(6)}, 0, false},
		"6 digits":        {[]func(v float64) float64{digit(6)}, 0, false},
		"4 digits":        {[]func(v float64) float64{digit(4)}, 0, false},
		"full, 4":         {[]func(v float64) float64{inFull, places(4)}, 4, false},
		"float32, 3":      {[]func(v float64) float64{inSingle, places(3)}, 3, false},
		"float32, 6":      {[]func(v float64) float64{inSingle, places(6)}, 6, false},
		"4, 6":            {[]func(v float64) float64{places(4), places(6)}, 4, false},
		"4, 6 in float32": {[]func(v float64) float64{func(v float64) float64 { return inSingle(places(4)(v)) }, inSingle}, 4, false},
		"4 and 6 digits":  {[]func(v float64) float64{digit(4), digit(6)}, 4, false},
		"float16":         {[]func(v float64) float64{halved}, 0, true},
		"1/1024":          {[]func(v float64) float64{func(v float64) float64 { return math.Round(v*1024) / 1024 }}, 0, false},
	} {
		truth, written := columnOf(2_000, c.ways...)
		var column, first, rest Column
		column.Take(written)
		first.Take(written[:700])
		rest.Take(written[700:])
		if first.Merge(&rest); first != column {
			t.Errorf("%s: %v in two parts, %v in one", name, first, column)
		}
		own := int64(0)
		if n := column.Own(); n != nil {
			own = *n
		}
		if own != c.own || column.Half() != c.half {
			t.Errorf("%s: fewest %d, float16 %v", name, own, column.Half())
		}
		e, sum, off := Of(&column, nil), 0.0, 0.0
		for i, p := range written {
			const room = 5e-9 // above 7 decimals nothing is asked of rounding
			if lo, hi := e.Lower(p), e.Upper(p); name != "1/1024" && (truth[i] < lo-room || truth[i] > hi+room) {
				t.Fatalf("%s: %v was written %v, and is in [%v, %v]", name, truth[i], p, lo, hi)
			}
			if e.At(p) > e.Most() {
				t.Fatalf("%s: ±%v of %v, and ±%v at most", name, e.At(p), p, e.Most())
			}
			sum, off = sum+p, off+math.Abs(p-truth[i])
		}
		if over := e.Over(float64(len(written)), sum); name != "1/1024" && off > over+1e-3 {
			t.Errorf("%s: sums are off by %g, and Over says %g", name, off, over)
		}
		if name == "full, 4" && (e.At(1./3) != 0 || e.At(.1234) != .5e-4 || e.At(.5) != .5e-4 || e.At(.123) != .5e-3) {
			t.Errorf("%s: ±%g in full, ±%g of .1234", name, e.At(1./3), e.At(.1234))
		}
	}
}

// One value alone makes no column a mixed one; a row of a fallback does.
func TestMixedNeedsMoreThanOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		mixed  bool
	}{
		{[]float64{1. / 3, .1429}, false},
		{[]float64{1. / 3, .5, .25, .125, 0, 1}, false}, // of which nothing says that they were rounded
		{[]float64{1. / 3, .1429, .1429}, true},
		{[]float64{1. / 7, .9143, .0143}, true},
		{[]float64{.9250000000000001, .025, .025}, false}, // what sums leave is not rounded
	} {
		var column Column
		column.Take(c.values)
		if got := column.Own() != nil; got != c.mixed {
			t.Errorf("%v: mixed %v", c.values, got)
		}
	}
}

// Significant digits of numbers of any size.
func TestDigitsOfNumbers(t *testing.T) {
	t.Parallel()
	var d Digits
	for _, v := range []float64{0, -914.25, .0143, 12_345.6} {
		d.Take(v)
	}
	for v, want := range map[float64]float64{0: 0, -914.25: 1e-3, .0143: 1e-7, 12_345.6: .1, 100: 1e-3, 99.9999: 1e-4} {
		if got := d.Unit(v); math.Abs(got-want) > 1e-12*want {
			t.Errorf("a unit of the last digit of %v is %v, want %v", v, got, want)
		}
	}
	if n := d.Number(); n == nil || *n != 6 {
		t.Errorf("%v digits", n)
	}
	if d.Take(1. / 3); d.Unit(1) != 0 || d.Number() != nil {
		t.Error("a number in full has few digits")
	}
}

// How rewards are written.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values   []float64
		decimals int64 // −1: nil
		single   bool
	}{
		{[]float64{0, 1, 3}, 0, false},
		{[]float64{.1, .25}, 2, false},
		{[]float64{inSingle(.1), .25}, 2, true},
		{[]float64{inSingle(math.Pi), .25}, -1, true},
		{[]float64{math.Pi, .25}, -1, false},
		{[]float64{.1234567}, -1, false},
	} {
		var n Numbers
		for _, v := range c.values {
			n.Take(v)
		}
		got := int64(-1)
		if d := n.Decimals(6); d != nil {
			got = *d
		}
		if got != c.decimals || n.Float32() != c.single {
			t.Errorf("%v: %d decimals, float32 %v", c.values, got, n.Float32())
		}
	}
}

// The digits of a value below .1 that seven decimals do not write are the fewest that write it,
// float32 or not, however small it is.
func TestOfHasTheFewestDigits(t *testing.T) {
	t.Parallel()
	seen := map[int]int{}
	for k := range 8 {
		for e := range 24 {
			for i := range 500 {
				v := math.Mod(float64(i+1)*math.Phi, 1) / math.Pow10(e+1)
				if k > 0 {
					v = significant(v, k)
				}
				for _, p := range []float64{v, inSingle(v)} {
					if Write(p, Most) || !(p < 0.1) {
						continue
					}
					fewest := 1
					for fewest <= MostDigits && !digitsWrite(p, fewest) {
						fewest++
					}
					seen[fewest]++
					if got := of(p).digits; got != fewest {
						t.Fatalf("%v has %d digits, not %d", p, fewest, got)
					}
				}
			}
		}
	}
	for n := 1; n <= MostDigits+1; n++ {
		if seen[n] < 100 {
			t.Errorf("%d values of %d digits were looked at", seen[n], n)
		}
	}
}
