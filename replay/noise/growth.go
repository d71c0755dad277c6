package noise

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// growthTest compares the scales of the first half of the draws with those of
// the second, which are in longer sums, whatever the scale of all: the ratio of
// their means of w is F with 2m₂ and 2m₁ degrees of freedom. (Halves by the length
// of the sums would have no such law, since noise decides which sums grow.)
func growthTest(w []float64) Test {
	t := newTest("growth")
	m := len(w)
	if m < 2 {
		return t.tooFew("two draws are needed")
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
	detail := fmt.Sprintf("mean of w in the second half of the draws over that in the first: F with %d and %d degrees of freedom, exactly", 2*(m-m/2), 2*(m/2))
	return t.of(high/m2/(low/m1), twoSidedBeta(m1, m2, low, high), detail)
}

// twoSidedBeta returns 2·min(P(B ≤ x), P(B ≥ x)), at most 1, for B that is beta
// with m1 and m2, and x = low/(low+high).
func twoSidedBeta(m1, m2, low, high float64) float64 {
	return min(1, 2*min(mathext.RegIncBeta(m1, m2, low/(low+high)), mathext.RegIncBeta(m2, m1, high/(low+high))))
}

// exponent returns the κ that makes draws of scale r·b·n^κ most likely, n being
// the rows of the released sum, whatever r: the root of
//
//	Σ w·n^{−κ}·ln n / Σ w·n^{−κ} = mean of ln n
//
// The left side falls in κ. The interval is κ ± z/√Σ(ln n − mean)², the
// information of the profile likelihood, with the normal z of level Share.
func exponent(vars []variable, w []float64) span {
	x := make([]float64, len(vars))
	var mean, spread float64
	for i := range vars {
		x[i] = math.Log(float64(vars[i].rows))
		mean += x[i]
	}
	mean /= float64(len(vars))
	for i := range x {
		x[i] -= mean
		spread += float64(x[i] * x[i])
	}
	if !(spread > 0) {
		return noSpan()
	}
	at := balance(x, w)
	if math.Abs(at) > mostExponent/2 {
		return noSpan()
	}
	half := math.Sqrt2 * math.Erfcinv(Share) / math.Sqrt(spread)
	return span{at, at - half, at + half}
}

// mostExponent bounds κ where it is looked for.
const mostExponent = 512

// balance returns the κ, within mostExponent, at which the mean of x under the
// weights w·e^{−κx} is 0. It falls in κ, at the rate of the variance: steps of
// Newton, and halvings where one would leave the bracket.
func balance(x, w []float64) float64 {
	lo, hi, k := -float64(mostExponent), float64(mostExponent), 0.0
	smallest, largest := math.Inf(1), math.Inf(-1) // of those with a weight
	for i, v := range x {
		if w[i] > 0 {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	for range 100 {
		shift := max(-float64(k*smallest), -float64(k*largest)) // so that no weight overflows
		var sum, first, second float64
		for i, v := range x {
			weight := float64(w[i] * math.Exp(-float64(k*v)-shift))
			moment := float64(weight * v)
			sum += weight
			first += moment
			second += float64(moment * v)
		}
		first, second = first/sum, second/sum
		if first > 0 {
			lo = k
		} else {
			hi = k
		}
		next := k + first/(second-float64(first*first))
		if !(next > lo && next < hi) {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-k) < 1e-12*max(1, math.Abs(k)) {
			return next
		}
		k = next
	}
	return k
}
