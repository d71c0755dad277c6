package noise

import "math"

// fewestOfArm is the least number of draws of an arm whose scale enters a test:
// a number of fewer would be one of single draws.
const fewestOfArm = 8

// armScale bounds the probability that the draws of one arm and octave of
// declared scales have a mean of w as far from 1. The policy decides how many
// draws an arm has, and so the bound is Ville's (lnScale); the j-th of these groups, in the
// order of their first draws, has the weight 1/(j(j+1)), since their number is not fixed
// either.
func armScale(s *drawn, w []float64) (p, statistic float64) {
	type key struct {
		arm    int
		octave float64
	}
	type group struct{ draws, sum float64 }
	places := map[key]int{}
	var all []group
	for i, x := range w {
		v := &s.vars[i]
		k := key{v.Arm, math.Floor(math.Log2(v.scale))}
		at, ok := places[k]
		if !ok {
			at = len(all)
			places[k] = at
			all = append(all, group{})
		}
		all[at].draws++
		all[at].sum += x
	}
	p, statistic = 1, 1
	for j, g := range all {
		if g.draws < fewestOfArm {
			continue
		}
		if bound := float64((j+1)*(j+2)) * ville(lnScale(g.draws, g.sum)); bound < p {
			p, statistic = bound, g.sum/g.draws
		}
	}
	return p, statistic
}
