package noise

import (
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
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
func scaleTest(s *drawn, w []float64) Test {
	t := newTest("scale")
	if len(w) == 0 {
		return t.tooFew("no draws").finds(0, "", "draws", "")
	}
	t = t.finds(len(w), "draw", "draws", scaleFinds(s.detectable()))
	var sum float64
	for _, x := range w {
		sum += x
	}
	return t.of(2*sum, s.likeliest(sum, twoSidedGamma), fmt.Sprintf("2Σw is χ² with %d degrees of freedom, exactly", 2*len(w)))
}

// scale is scaleTest, or where the log may have been stopped by what was released
// a bound that holds at any length.
func (s *drawn) scale(w []float64) Test {
	t := scaleTest(s, w)
	if !s.stopped || math.IsNaN(t.P) {
		return t
	}
	p := s.likeliest(t.Statistic/2, func(m, sum float64) float64 { return ville(lnScale(m, sum)) })
	return t.of(t.Statistic, p, fmt.Sprintf("2Σw of %d draws; bound of Ville at any length, since what was released may have decided the length of the log", len(w)))
}

// ratios inverts scaleTest at a level: the ratio at which Σw is its mean m, and
// the ratios at which the test does not reject, over all draws, whatever rounding
// moved them by. An end may be 0 or +Inf.
func (s *drawn) ratios() span { return s.between(nil, len(s.vars), Share, s.ends) }

// between is ratios over the draws that keep names (nil: all), with the sums of w
// beyond which a test at a level rejects.
func (s *drawn) between(keep []int, draws int, level float64, ends func(m, level float64) (lo, hi float64)) span {
	if draws == 0 {
		return noSpan()
	}
	m := float64(draws)
	low, high := ends(m, level)
	return span{
		at: ratioWith(s.total(keep), m),
		lo: ratioWith(s.totalOf(keep, -1), high),
		hi: ratioWith(s.totalOf(keep, 1), low),
	}
}

// farthest is the log of the largest ratio that is told from ∞, and of the inverse
// of the smallest told from 0.
const farthest = 500

// ratioWith returns the ratio at which Σw, which falls in it, is sum.
func ratioWith(total func(ratio float64) float64, sum float64) float64 {
	ln := crossing(0, func(ln float64) bool { return total(bitexact.Exp(ln)) <= sum })
	if math.Abs(ln) > farthest {
		ln = math.Copysign(math.Inf(1), ln)
	}
	return bitexact.Exp(ln)
}

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
func Detectable(draws int, level float64) float64 { return detectableBy(draws, level, chiEnds) }

func detectableBy(draws int, level float64, ends func(m, level float64) (lo, hi float64)) float64 {
	if draws == 0 {
		return math.Inf(1)
	}
	m := float64(draws)
	low, high := ends(m, level)
	up, down := high/gammaQuantile(m, 0.2, false), gammaQuantile(m, 0.2, true)/low
	return max(up, down)
}

// coarse is the step of a lattice, over the scale, above which no factor is said
// to be detectable: draws are then 0 too often.
const coarse = 0.1

// detectable returns the factor of the scale that the draws can detect, as [Detectable]; +Inf
// where one lies on a coarse lattice, or rounding blurs them.
func (s *drawn) detectable() float64 {
	if s.blurred {
		return math.Inf(1)
	}
	for i := range s.vars {
		if v := &s.vars[i]; v.grid > coarse*v.scale {
			return math.Inf(1)
		}
	}
	return detectableBy(len(s.vars), Share, s.ends)
}
