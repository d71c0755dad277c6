package noise

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// race tabulates h(a,b) = P(A ≥ B) for independent A and B that count the
// successes, of probability q = e^{−step}, before the a-th and b-th failure.
// Two equal successes cancel, and what remains has no memory, so that with
// s(a,b) = P(A ≥ B+1) and v(a,b) = P(A+1 ≥ B)
//
//	h(a,b) = [(1−q)²·h(a−1,b−1) + q(1−q)·s(a−1,b) + q(1−q)·v(a,b−1)]/(1−q²)
//	s(a,b) = q·h(a,b) + (1−q)·s(a−1,b),   v(a,b) = q·h(a,b) + (1−q)·v(a,b−1)
//
// with h(a,0) = v(a,0) = 1, h(0,b) = (1−q)^b, v(0,b) = (1−q)^b·(1+bq),
// s(0,b) = 0 and s(a,0) = 1−(1−q)^a. No term is negative. step = 0 is the limit
// of gamma variables. Own derivation.
type race struct {
	most int
	h    []float64
}

// newRace fills the table for a, b ≤ most by rising a+b, in O(most²).
func newRace(step float64, most int) *race {
	n := most + 1
	h, s, v := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	q, p := bitexact.Exp(-step), -math.Expm1(-step)
	both, one := p/(1+q), q/(1+q) // (1−q)²/(1−q²) and q(1−q)/(1−q²)
	for sum := range 2*most + 1 {
		for a := max(0, sum-most); a <= min(sum, most); a++ {
			b := sum - a
			at := a*n + b
			switch {
			case b == 0:
				h[at], s[at], v[at] = 1, 1-bitexact.Pow(p, float64(a)), 1
			case a == 0:
				h[at] = bitexact.Pow(p, float64(b))
				v[at] = h[at] * (1 + float64(float64(b)*q))
			default:
				h[at] = float64(both*h[at-n-1]) + float64(one*s[at-n]) + float64(one*v[at-1])
				s[at] = float64(q*h[at]) + float64(p*s[at-n])
				v[at] = float64(q*h[at]) + float64(p*v[at-1])
			}
		}
	}
	return &race{most: most, h: h}
}

// wins returns h(a,b).
func (r *race) wins(a, b int) float64 { return r.h[a*(r.most+1)+b] }
