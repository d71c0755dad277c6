package bitexact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/testdata/reference"
)

// percentiles returns the p-value of Pearson's test that draws fall with equal
// probability between 99 percentiles and beyond them.
func percentiles(quantiles []float64, draw func() float64) float64 {
	const n = 100_000
	counts := make([]float64, len(quantiles)+1)
	for range n {
		i, _ := slices.BinarySearch(quantiles, draw())
		counts[i]++
	}
	want := n / float64(len(counts))
	chi := 0.0
	for _, c := range counts {
		chi += (c - want) * (c - want) / want
	}
	return distuv.ChiSquared{K: float64(len(counts) - 1)}.Survival(chi)
}

// Draws against percentiles by scipy (thompson.py): 100 000 draws in 100 cells of
// equal probability, each at the level 10⁻⁸. The twelve tests together fail for
// less than one in 10⁶ of all seeds, and the seed is fixed.
func TestSamplersFollowTheirLaws(t *testing.T) {
	const level = 1e-8
	src := rand.NewPCG(2018, 6)
	for _, row := range reference.Rows(t, "thompson.csv", "normal") {
		if p := percentiles(row, func() float64 { return Normal(src) }); p < level {
			t.Errorf("normal: p-value %v", p)
		}
	}
	for _, row := range reference.Rows(t, "thompson.csv", "gamma") {
		if p := percentiles(row[1:], func() float64 { return LnGamma(src, row[0]) }); p < level {
			t.Errorf("Gamma(%v): p-value %v", row[0], p)
		}
	}
	for _, row := range reference.Rows(t, "thompson.csv", "beta_logit") {
		if p := percentiles(row[2:], func() float64 { return BetaLogit(src, row[0], row[1]) }); p < level {
			t.Errorf("Beta(%v, %v): p-value %v", row[0], row[1], p)
		}
	}
}

// word returns the word whose ⌊word/2¹¹⌋·2⁻⁵³ is u, a multiple of 2⁻⁵³.
func word(u float64) uint64 { return uint64(u*0x1p53) << 11 }

func TestNormalFollowsItsScript(t *testing.T) {
	s := &script{words: []uint64{
		word(0.5), word(0.5), // 0 and 0: the origin is refused
		word(0), word(0.25), // −1 and −0.5: outside of the circle
		word(0.75), word(0.25), // 0.5 and −0.5
	}}
	want := 0.5 * math.Sqrt(-2*math.Log(0.5)/0.5)
	if got := Normal(s); ulps(got, want) > 2 || s.next != 6 {
		t.Errorf("%v after %d words, want %v after 6", got, s.next, want)
	}
}

func TestGammaFollowsItsScript(t *testing.T) {
	half := []uint64{word(0.75), word(0.25)} // the normal variable of the test above
	x := 0.5 * math.Sqrt(-2*math.Log(0.5)/0.5)
	value := func(a float64) float64 {
		d := a - 1.0/3
		return math.Log(d) + 3*math.Log(1+x/math.Sqrt(9*d))
	}
	for _, tt := range []struct {
		name  string
		a     float64
		words []uint64
		want  float64
	}{
		{"accepted at once", 2, append(slices.Clone(half), word(0.5)), value(2)},
		{"below 1 takes one more word", 0.5, append(slices.Clone(half), word(0.5), word(0.75)), value(1.5) + math.Log(0.25)/0.5},
		{"w below 0 takes no word", 1, append([]uint64{word(0.4990234375), word(0.5)}, append(slices.Clone(half), word(0.5))...), value(1)},
		{"refused, and again", 1, append([]uint64{word(0.375), word(0.5), word(0)}, append(slices.Clone(half), word(0.5))...), value(1)},
	} {
		s := &script{words: tt.words}
		if got := LnGamma(s, tt.a); !(math.Abs(got-tt.want) < 1e-14) || s.next != len(tt.words) {
			t.Errorf("%s: %v after %d words, want %v after %d", tt.name, got, s.next, tt.want, len(tt.words))
		}
	}
}

// The bits themselves, so that an architecture that differs is noticed.
func TestSamplerBits(t *testing.T) {
	src := rand.NewPCG(1, 2)
	got := [4]float64{Normal(src), LnGamma(src, 0.3), LnGamma(src, 7), BetaLogit(src, 2.5, 0.01)}
	if want := [4]float64{1.3401149550091647, 0.392403223844093, 1.8950755563899124, 72.06513879956492}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func BenchmarkBetaLogit(b *testing.B) {
	src := rand.NewPCG(1, 2)
	for b.Loop() {
		BetaLogit(src, 30, 70)
	}
}

// script is a source of given words.
type script struct {
	words []uint64
	next  int
}

func (s *script) Uint64() uint64 {
	s.next++
	return s.words[s.next-1]
}
