package noise

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// growthTest compares the scales of the half of the draws in the shorter sums
// with those in the longer, whatever the scale of all: the ratio of their means
// of w is F with 2m₂ and 2m₁ degrees of freedom.
func growthTest(vars []variable, w []float64) Test {
	t := newTest("growth")
	m := len(w)
	if m < 2 {
		return t.tooFew("two draws are needed")
	}
	order := make([]int, m)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := vars[i].rows, vars[j].rows; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	var low, high float64
	for i, at := range order {
		if i < m/2 {
			low += w[at]
		} else {
			high += w[at]
		}
	}
	if !(low+high > 0) || math.IsInf(low+high, 1) {
		return t.tooFew("all draws are 0, or one is infinite")
	}
	m1, m2 := float64(m/2), float64(m-m/2)
	p := min(1, 2*min(mathext.RegIncBeta(m1, m2, low/(low+high)), mathext.RegIncBeta(m2, m1, high/(low+high))))
	k := exponent(vars, w)
	detail := fmt.Sprintf("mean of w in the longer half of the sums over that in the shorter: F with %d and %d degrees of freedom, exactly", 2*(m-m/2), 2*(m/2))
	if !math.IsNaN(k.at) {
		detail += fmt.Sprintf("; the scale grows as n^%.3g (%.3g, %.3g)", k.at, k.lo, k.hi)
	}
	return t.of(high/m2/(low/m1), p, detail)
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
		spread += x * x
	}
	if !(spread > 0) {
		return noSpan()
	}
	at := crossing(0, func(k float64) bool {
		var sum float64
		for i, x := range w {
			ln := math.Log(float64(vars[i].rows)) - mean
			sum += float64(x*ln) * math.Exp(-float64(k*ln))
		}
		return sum <= 0
	})
	if math.IsInf(at, 0) {
		return noSpan()
	}
	half := math.Sqrt2 * math.Erfcinv(Share) / math.Sqrt(spread)
	return span{at, at - half, at + half}
}
