package noise

import (
	"fmt"
	"math"
)

// span is a ratio of scales with its interval.
type span struct{ at, lo, hi float64 }

func noSpan() span { return span{math.NaN(), math.NaN(), math.NaN()} }

// scaleTest compares the sum of w with its law:
//
//	2·Σw is χ² with 2m degrees of freedom
//
// which for single variables of a continuous law is the likelihood-ratio test of
// the scale. Of rounded draws P is the largest that is possible (likeliest).
func scaleTest(s *sample, w []float64) Test {
	t := newTest("scale")
	if len(w) == 0 {
		return t.tooFew("no draws")
	}
	var sum float64
	for _, x := range w {
		sum += x
	}
	return t.of(2*sum, s.likeliest(sum), fmt.Sprintf("2Σw is χ² with %d degrees of freedom, exactly", 2*len(w)))
}

// ratios inverts scaleTest at a level: the ratio at which Σw is its mean m, and
// the ratios at which the test does not reject, over the draws that keep names
// (nil: all). An end may be 0 or +Inf.
func (s *sample) ratios(keep []int, draws int, level float64) span {
	if draws == 0 {
		return noSpan()
	}
	m := float64(draws)
	return span{
		at: ratioWith(s.total(keep), m),
		lo: ratioWith(s.totalOf(keep, -1), gammaQuantile(m, level/2, true)),
		hi: ratioWith(s.totalOf(keep, 1), gammaQuantile(m, level/2, false)),
	}
}

// ratioWith returns the ratio at which Σw, which falls in it, is sum.
func ratioWith(total func(ratio float64) float64, sum float64) float64 {
	return math.Exp(crossing(0, func(ln float64) bool { return total(math.Exp(ln)) <= sum }))
}

// detectable is Detectable at Share.
func detectable(draws int) float64 { return Detectable(draws, Share) }

// Detectable returns the factor f > 1 such that the test of the scale at level α
// rejects with probability 0.8 at least when the scale is f times, or 1/f times,
// the declared one: with quantiles of the gamma law with shape m, the number of
// draws,
//
//	f = max(x_{1−α/2}/x_{0.2}, x_{0.8}/x_{α/2})
//
// and +Inf without draws.
//
// It is exact for single variables of a continuous law. Sums of several tell
// more of their scale; a lattice as wide as the scale tells less.
func Detectable(draws int, level float64) float64 {
	if draws == 0 {
		return math.Inf(1)
	}
	m := float64(draws)
	up := gammaQuantile(m, level/2, true) / gammaQuantile(m, 0.2, false)
	down := gammaQuantile(m, 0.2, true) / gammaQuantile(m, level/2, false)
	return max(up, down)
}
