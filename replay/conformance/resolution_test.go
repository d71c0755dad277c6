package conformance

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas"
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
		column := resolution{grid: 0x1p-30}
		for _, v := range values {
			column.take([]float64{round(v)}, 1)
		}
		for _, v := range values {
			if rounded := round(v); math.Abs(v-rounded) > column.off(rounded)*(1+1e-6)+sameSum {
				r.Errorf("%v is logged as %v, and off by %v at most", v, rounded, column.off(rounded))
			}
		}
	})
}

// On the lattice of the counter nothing is rounded, nor where all is 0.
func TestResolutionOfWhatIsNotRounded(t *testing.T) {
	for name, values := range map[string][]float64{
		"grid": {1.0 / 3, 1000.5 + 0x1p-20, -77.25 + 0x1p-19}, "zero": {0, 0},
	} {
		column := resolution{grid: 0x1p-20}
		column.take(values, 1)
		if column.rounds() {
			t.Errorf("%s: %+v", name, column)
		}
	}
}

// Logs that write released values with few decimals, or as float32 from the
// start or from some row on, are not convicted of it.
func TestRoundedReleasesAreNotConvicted(t *testing.T) {
	ways := map[string]func(at int, v float64) float64{
		"float32": func(_ int, v float64) float64 { return float64(float32(v)) },
		"mixed": func(at int, v float64) float64 {
			if at < 800 {
				return v
			}
			return float64(float32(v))
		},
		"0 decimals": func(_ int, v float64) float64 { return math.Round(v) },
		"2 decimals": func(_ int, v float64) float64 { return math.Round(v*100) / 100 },
		"6 digits":   func(_ int, v float64) float64 { return inDigits(v, 6) },
		"4 digits":   func(_ int, v float64) float64 { return inDigits(v, 4) },
	}
	for name, way := range ways {
		for _, p := range []*schemas.Protocol{noisy("ucb", "hybrid"), noisy("thompson", "hybrid"), noisy("epsilon-greedy", "hybrid")} {
			l := show(t, p, 800, 7, false)
			l.ReleasedByArm = slices.Clone(l.ReleasedByArm)
			for i, v := range l.ReleasedByArm {
				l.ReleasedByArm[i] = way(i, v)
			}
			c := run2(t, p, l.write(t))
			r := c.Released
			if c.Matched != c.Replayable || c.FirstMismatch != nil || r.Changed != 0 || r.Noise.Rejected || r.Noise.OffGrid != 0 {
				t.Errorf("%s, %s: %d of %d match, %d changes, %+v", p.Policy.Name, name, c.Matched, c.Replayable, r.Changed, r.Noise.Tests)
			}
			if name != "mixed" && r.Rounding == nil {
				t.Errorf("%s, %s: no rounding is found", p.Policy.Name, name)
			}
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
		column := resolution{grid: 0x1p-30}
		for i := range 500 {
			column.take([]float64{inDigits(math.Exp(float64(i%23)-10)*math.Pi*float64(i+1), digits)}, 1)
		}
		for i := range 500 {
			v := math.Exp(float64(i%23)-10) * math.Pi * float64(i+1)
			if w := inDigits(v, digits); math.Abs(v-w) > column.off(w)*(1+1e-9) || column.off(w) > 5.001*math.Pow10(-digits)*w {
				t.Errorf("%d digits: %v is logged as %v, and off by %v at most", digits, v, w, column.off(w))
			}
		}
	}
	whole := resolution{grid: 1}
	if whole.take([]float64{123_456, 1_000, -77}, 3); whole.rounds() {
		t.Error("whole numbers of a counter of whole numbers are rounded")
	}
}

// A wrong action is not forgiven for a rounding that cannot explain it.
func TestRoundingExplainsNoWrongAction(t *testing.T) {
	p := noisy("ucb", "hybrid")
	l := show(t, p, 400, 7, false)
	for i, v := range l.ReleasedByArm {
		l.ReleasedByArm[i] = math.Round(v*1e6) / 1e6
	}
	l.Arm[300] = 1 - l.Arm[300]
	if c := run2(t, p, l.write(t)); c.FirstMismatch == nil || c.FirstMismatch.Round != 301 {
		t.Errorf("%d of %d match", c.Matched, c.Replayable)
	}
}
