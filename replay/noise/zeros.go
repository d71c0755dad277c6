package noise

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// zeros bounds the probability of as many draws of exactly 0 as there are on a
// lattice, at any length of the log. A draw is 0 with probability p at most,
//
//	p = tanh(step/2),   step = lattice/scale
//
// of one variable exactly, and of a sum of several no more; rounded it is one of
// several numbers (points). For every x > 1
//
//	Π x^{1{draw is 0}}/(1+p(x−1))
//
// has a mean of at most 1, and so has its mean over a few x; by Ville's inequality
// P is at most its inverse. x = ∞ is the probability that all are 0. on counts
// the draws on a lattice.
func (s *drawn) zeros(ratio float64) (p float64, zero, on int64) {
	times := [...]float64{1.5, 2, 10, 1e3, 1e5, 1e7, 1e9}
	var sums [len(times)]float64
	var all float64
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice == 0 || v.mixed != nil {
			continue
		}
		likely := min(1, v.points()*bitexact.Tanh(v.lattice/(v.scale*ratio)/2))
		on++
		if v.k == 0 {
			zero++
		}
		all -= math.Log(likely)
		for j, x := range times {
			sums[j] -= math.Log1p(float64(likely * (x - 1)))
		}
	}
	if zero == 0 {
		return 1, 0, on
	}
	best := math.Inf(-1)
	if zero == on {
		best = all
	}
	for j, x := range times {
		best = max(best, float64(float64(zero)*math.Log(x))+sums[j])
	}
	return min(1, float64((len(times)+1))*bitexact.Exp(-best)), zero, on
}
