package noise

import (
	"cmp"
	"math"
	"slices"
)

// mostScales bounds the groups of an arm; where it has more scales they are
// joined by octave.
const mostScales = 64

// groups returns the ratios by arm and declared scale, with intervals that hold
// whatever made the policy play an arm as often.
func groups(s *drawn) []Group {
	type key struct {
		arm   int
		scale float64
	}
	seen, scales := map[key]bool{}, map[int]int{}
	for i := range s.vars {
		k := key{s.vars[i].Arm, s.vars[i].scale}
		if !seen[k] {
			seen[k] = true
			scales[k.arm]++
		}
	}
	joined := map[key][]int{}
	for i := range s.vars {
		k := key{s.vars[i].Arm, s.vars[i].scale}
		if scales[k.arm] > mostScales {
			k.scale = math.Exp2(math.Floor(math.Log2(k.scale)))
		}
		joined[k] = append(joined[k], i)
	}
	out := make([]Group, 0, len(joined))
	for k, members := range joined {
		g := Group{Arm: k.arm, Scale: math.Inf(1), Draws: int64(len(members))}
		for _, i := range members {
			g.Scale = min(g.Scale, s.vars[i].scale)
		}
		found := s.between(members, len(members), Share, villeEnds)
		g.Ratio, g.Lo, g.Hi = found.at, found.lo, found.hi
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Arm, b.Arm), cmp.Compare(a.Scale, b.Scale))
	})
	return out
}
