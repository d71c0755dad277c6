package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// TestStylesDiffer: no two lines of a figure differ by colour alone.
func TestStylesDiffer(t *testing.T) {
	for _, set := range [][]Stroke{Lines(), {Raw(), Corrected(), Sequence()}} {
		for i := range set {
			for j := range i {
				if set[i].glyph == set[j].glyph || cmp.Equal(set[i].color, set[j].color) {
					t.Errorf("strokes %d and %d share a marker or a colour", i, j)
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	m := func(at, lo, hi float64) []Mark { return []Mark{{At: at, Lo: lo, Hi: hi}} }
	nan := math.NaN()
	for _, tc := range []struct {
		name   string
		marks  []Mark
		bounds []float64
		want   [2]float64
	}{
		{"what is drawn, with a margin of 1/50", m(0.5, 0, 1), nil, [2]float64{-0.02, 1.02}},
		{"cut at the range of the reward", m(0.5, -3, 1), []float64{0, 1}, [2]float64{-0.02, 1.02}},
		{"a single value", m(2, nan, nan), nil, [2]float64{1.48, 2.52}},
		{"nothing", m(nan, nan, nan), nil, [2]float64{math.Inf(1), math.Inf(-1)}},
	} {
		r := Rows{Marks: tc.marks}
		r.Fit(tc.bounds, nil)
		if tc.name == "nothing" {
			continue // armsFigure does not draw without a mean; Fit must only not hang
		}
		if math.Abs(r.min-tc.want[0]) > 1e-12 || math.Abs(r.max-tc.want[1]) > 1e-12 {
			t.Errorf("%s: [%v, %v], want %v", tc.name, r.min, r.max, tc.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 20000, "0 5,000 10,000 15,000 20,000"},
		{-0.02, 1.02, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 0.0125, "0 0.002 0.004 0.006 0.008 0.010 0.012"},
		{-3, 3, "-3 -2 -1 0 1 2 3"},
		{0, 1e7, "0 2,000,000 4,000,000 6,000,000 8,000,000 10,000,000"},
		{1, 1, ""},
		{0, math.Inf(1), ""},
		{math.NaN(), 1, ""},
	} {
		var got []string
		for _, tick := range (ticks{plain}).Ticks(tc.lo, tc.hi) {
			got = append(got, tick.Label)
		}
		want := strings.Replace(tc.want, "0.0 ", "0 ", 1)
		if strings.Join(got, " ") != want {
			t.Errorf("ticks of [%v, %v]: %q, want %q", tc.lo, tc.hi, strings.Join(got, " "), want)
		}
	}
}

// TestTicksAreFew: whatever the ends, there are few marks, each between them and
// right of the one before. With [1e16, 1e16+2] a loop over multiples of a step
// did not end.
func TestTicksAreFew(t *testing.T) {
	check := func(t rapid.TB, lo, hi float64) {
		t.Helper()
		marks := (ticks{plain}).Ticks(lo, hi)
		if len(marks) > mostTicks+1 || lo < hi && !math.IsInf(lo, 0) && !math.IsInf(hi, 0) && len(marks) == 0 {
			t.Fatalf("%d marks of [%g, %g]", len(marks), lo, hi)
		}
		for i, m := range marks {
			if !(m.Value >= lo && m.Value <= hi) || i > 0 && m.Value <= marks[i-1].Value || m.Label == "" {
				t.Fatalf("mark %d of [%g, %g] is %+v", i, lo, hi, m)
			}
		}
	}
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	for _, ends := range [][2]float64{
		{1e16, 1e16 + 2},
		{-1e16 - 2, -1e16},
		{0, tiny},
		{-tiny, tiny},
		{0, huge},
		{-huge, huge},
		{huge / 2, huge},
		{1, math.Nextafter(1, 2)},
		{0, 1e-162},
		{-huge, -huge / 2},
		{math.Nextafter(huge, 0), huge},
		{0, math.Inf(1)},
		{math.Inf(-1), 0},
		{math.NaN(), 1},
		{2, 1},
	} {
		check(t, ends[0], ends[1])
	}
	rapid.Check(t, func(r *rapid.T) {
		lo := math.Float64frombits(rapid.Uint64().Draw(r, "lo"))
		hi := math.Float64frombits(rapid.Uint64().Draw(r, "hi"))
		if rapid.Bool().Draw(r, "near") {
			hi = lo
			for range rapid.IntRange(1, 50).Draw(r, "apart") {
				hi = math.Nextafter(hi, math.Inf(1))
			}
		}
		check(r, lo, hi)
	})
}

func TestDecades(t *testing.T) {
	var labels []string
	for _, tick := range (decades{plain}).Ticks(.001, .2) {
		labels = append(labels, tick.Label)
	}
	if got := strings.Join(labels, " "); got != "0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2" {
		t.Error(got)
	}
	labels = nil
	for _, tick := range (decades{plain}).Ticks(1e-5, 1) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "1e-05 0.0001 0.001 0.01 0.1 1" {
		t.Error(got)
	}
}

// TestSpread: labels keep their order and a gap, stay where they are if they can, and none
// falls below the lowest place while there is room above.
func TestSpread(t *testing.T) {
	for _, tc := range []struct{ places, want []vg.Length }{
		{[]vg.Length{90, 50, 10}, []vg.Length{90, 50, 10}},
		{[]vg.Length{50, 50, 50}, []vg.Length{50, 40, 30}},
		{[]vg.Length{5, 5, 0}, []vg.Length{20, 10, 0}},
		{nil, nil},
	} {
		if got := spread(tc.places, 0, 10); !slices.Equal(got, tc.want) {
			t.Errorf("%v become %v, want %v", tc.places, got, tc.want)
		}
	}
}

// TestFillsDiffer: areas that touch differ in lightness, by a tenth of what black and white
// differ by, so that they are told apart without colours.
func TestFillsDiffer(t *testing.T) {
	light := func(s Stroke) float64 {
		r, g, b, _ := s.color.RGBA()
		return (0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)) / 0xFFFF
	}
	fills := Fills()
	for i := 1; i < len(fills); i++ {
		if d := math.Abs(light(fills[i]) - light(fills[i-1])); d < 0.1 {
			t.Errorf("fills %d and %d differ by %.2f in lightness", i-1, i, d)
		}
	}
}
