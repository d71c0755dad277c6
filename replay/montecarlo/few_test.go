package montecarlo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// fewUpdates are so many updates of n draws and more, or of computed probabilities
// where n is 0, as float32 or in full.
func fewUpdates(src *rand.Rand, arms, updates, n int, single bool) *Shares {
	s := NewShares(arms, 0x1p-50, Seen)
	for u := range updates {
		p, total := make([]float64, arms), 0.0
		for a := range p {
			p[a] = 1 + src.Float64()
			total += p[a]
		}
		for a := range p {
			p[a] /= total
		}
		q := p
		if n > 0 {
			q = multinomial(src, n+src.IntN(n), p)
		}
		if single {
			q = append([]float64{}, q...)
			for a := range q {
				q[a] = float64(float32(q[a]))
			}
		}
		s.Add(int64(u), q, p, 0)
	}
	return s
}

// TestFewUpdates: one update of draws in full has its number, and none that is computed
// has one (of two arms one in 100,000 has, of which 200 logs have one with probability
// 0.002); as float32 chance is excluded where the shares are many enough, and where
// they are not Scant says so.
func TestFewUpdates(t *testing.T) {
	t.Parallel()
	const single = 0x1p-25
	src := rand.New(rand.NewPCG(27, 4))
	for range 200 {
		for _, arms := range []int{2, 3} {
			if s := fewUpdates(src, arms, 1, 500, false); s.entries[0].q[0] != .5 && s.Own(0x1p-50) == nil {
				t.Errorf("%d arms: draws have no number", arms)
			}
			if fewUpdates(src, arms, 1, 0, false).Own(0x1p-50) != nil {
				t.Errorf("%d arms: what is computed has a number", arms)
			}
		}
	}
	for _, c := range []struct {
		arms, updates, n int
		sure, scant      bool
	}{
		{3, 3, 500, true, false},
		{5, 2, 500, true, false},
		{3, 3, 0, false, false},
		{5, 3, 0, false, false},
		{2, 3, 3000, false, true},
		{2, 3, 0, false, true},
		{3, 1, 0, false, true},
		{2, 40, 0, false, false},
	} {
		s := fewUpdates(src, c.arms, c.updates, c.n, true)
		if _, sure := s.Lowest(single); sure != c.sure || s.Scant(single) != c.scant {
			t.Errorf("%+v: sure %t, scant %t", c, sure, s.Scant(single))
		}
	}
}

// TestFractions: laws that are fractions are told from others, and neither the uniform
// one nor that which gives one arm all counts.
func TestFractions(t *testing.T) {
	t.Parallel()
	of := func(laws ...[]float64) bool {
		s := NewShares(3, 0x1p-50, Seen)
		for i, p := range laws {
			s.Add(int64(i), []float64{.5, .3, .2}, p, 0)
		}
		return s.Fractions()
	}
	odd, even, all := []float64{1 / math.Pi, .3, .7 - 1/math.Pi}, []float64{1. / 3, 1. / 3, 1. / 3}, []float64{1, 0, 0}
	if !of([]float64{.8, .1, .1}) || !of([]float64{.8, .1, .1}, even, all) {
		t.Error("ε = .3 is not told")
	}
	if of(even, all) || of(odd, even, even, all) || of(odd, []float64{.8, .1, .1}) {
		t.Error("what is no fraction, or says nothing, is told as one")
	}
}

// TestUnbound: the same share twice is one, and the last is bound by their sum.
func TestUnbound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    []float64
		want int
	}{
		{[]float64{0, 1}, 0}, {[]float64{.4, .6}, 1}, {[]float64{.98, .01, .01}, 1}, {[]float64{.5, .3, .2}, 2}, {[]float64{.3}, 1},
	} {
		if got := unbound(c.q, 0x1p-50); got != c.want {
			t.Errorf("%v: %d, want %d", c.q, got, c.want)
		}
	}
}
