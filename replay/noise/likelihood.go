package noise

import "math"

// lnLikelihood is the log density of the draws, in units of released values, with
// scales of ratio times the declared ones. That of sums is the difference of
// their tails over a short stretch.
func (s *drawn) lnLikelihood(ratio float64) float64 {
	var sum float64
	of := races{}
	for i := range s.vars {
		v := &s.vars[i]
		b := float64(v.scale * ratio)
		switch {
		case v.linear():
			sum -= math.Log(float64(2*b)) + v.size/b
		case v.grid > 0:
			at, beyond := s.lnAtom(v, v.grid/b, of)
			sum += at + math.Log(-math.Expm1(beyond-at)) - math.Log(v.grid)
			if v.k > 0 {
				sum -= math.Ln2
			}
		default:
			sum += s.lnSlope(v, ratio, of)
		}
	}
	return sum
}

// lnSlope is the log density of a continuous sum.
func (s *drawn) lnSlope(v *variable, ratio float64, of races) float64 {
	half := 0.05 * v.scale * ratio
	if v.mixed != nil {
		half = max(half, v.mixed.reach*ratio/100)
	}
	near, far := *v, *v
	near.size, far.size = max(0, v.size-half), v.size+half
	lo, hi := s.weight(&near, ratio, of), s.weight(&far, ratio, of)
	ln := -lo - math.Log(2*(far.size-near.size))
	if hi > lo {
		ln += math.Log(-math.Expm1(lo - hi))
	}
	return ln
}

// bic is −2 log likelihood of the released values, and ln m for a scale that was
// fitted. From values times n^−κ the draws are told apart one by one, so that
// each n^−κ is a factor of the density. NaN where the draws are not as many as
// the releases: likelihoods are then not of the same numbers.
func (s *drawn) bic(ratio float64, kappa, releases int, free bool) float64 {
	if len(s.vars) != releases || !(ratio > 0) || math.IsInf(ratio, 1) {
		return math.NaN()
	}
	ln := s.lnLikelihood(ratio)
	for i := range s.vars {
		ln -= float64(float64(kappa) * math.Log(float64(s.vars[i].rows)))
	}
	out := float64(-2 * ln)
	if free {
		out += math.Log(float64(releases))
	}
	return out
}
