package noise

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// growthTest compares the scales of the first half of the draws with the scales of the
// second, which are in longer sums, whatever the scale of all: the ratio of their means of
// w is F with 2m₂ and 2m₁ degrees of freedom. (Halves by the length of the sums would have
// no such law, since noise decides which sums grow.)
func growthTest(w []float64) Test {
	t := newTest("growth")
	m := len(w)
	if m < 2 {
		return t.tooFew("two draws are needed").finds(m, "draw", "draws", "")
	}
	var low, high float64
	for i, x := range w {
		if i < m/2 {
			low += x
		} else {
			high += x
		}
	}
	if !(low+high > 0) || math.IsInf(low+high, 1) {
		return t.tooFew("all draws are 0, or one is infinite")
	}
	m1, m2 := float64(m/2), float64(m-m/2)
	t = t.finds(m, "draw", "draws", halvesFind(m1, m2, t.Level))
	detail := fmt.Sprintf("mean of w in the second half of the draws over that in the first: F with %d and %d degrees of freedom, exactly", 2*(m-m/2), 2*(m/2))
	return t.of(high/m2/(low/m1), twoSidedBeta(m1, m2, low, high), detail)
}

// growth is growthTest at the length of the log.
func (s *drawn) growth(w []float64) Test {
	if t := growthTest(w); !s.stopped {
		return t
	} else {
		m := len(w)
		t = t.finds(m, "draw", "draws", halvesFind(float64(m/2), float64(m-m/2), t.Level/float64(m)/float64(m+1)))
		return t.anyLength(m)
	}
}

// twoSidedBeta returns 2·min(P(B ≤ x), P(B ≥ x)), at most 1, for B that is beta
// with m1 and m2, and x = low/(low+high).
func twoSidedBeta(m1, m2, low, high float64) float64 {
	x, y := low/(low+high), high/(low+high)
	return min(1, 2*bitexact.Exp(min(tail.LogBeta(m1, m2, x, y), tail.LogBeta(m2, m1, y, x))))
}

// exponent returns the κ that makes draws of scale r·b·n^κ most likely, n being
// the rows of the released sum, whatever r: the root of
//
//	Σ w·n^{−κ}·ln n / Σ w·n^{−κ} = mean of ln n
//
// The left side falls in κ. The interval is κ ± z/√Σ(ln n − mean)², the
// information of the profile likelihood, with the normal z of level Share.
func exponent(vars []variable, w []float64) span {
	var mean, spread float64
	for i := range vars {
		mean += math.Log(float64(vars[i].rows))
	}
	mean /= float64(len(vars))
	for i := range vars {
		x := math.Log(float64(vars[i].rows)) - mean
		spread += float64(x * x)
	}
	if !(spread > 0) {
		return noSpan()
	}
	at := crossing(0, func(k float64) bool {
		var sum float64
		for i, x := range w {
			ln := math.Log(float64(vars[i].rows)) - mean
			sum += float64(x * ln * bitexact.Exp(-float64(k*ln)))
		}
		return sum <= 0
	})
	if math.IsInf(at, 0) {
		return noSpan()
	}
	half := math.Sqrt2 * math.Erfcinv(Share) / math.Sqrt(spread)
	return span{at, at - half, at + half}
}
