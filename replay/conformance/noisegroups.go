package conformance

import (
	"cmp"
	"slices"

	"banditaudit/schemas"
)

// mostGroups bounds the groups of noise by arm and scale that results hold: a log
// of many arms, or a counter of many scales, would fill them with little else.
const mostGroups = 512

// largest keeps the mostGroups groups of most draws, in their order; of equal
// ones the first.
func largest(groups []schemas.NoiseGroup) []schemas.NoiseGroup {
	if len(groups) <= mostGroups {
		return groups
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].Draws, groups[a].Draws) })
	kept := order[:mostGroups]
	slices.Sort(kept)
	out := make([]schemas.NoiseGroup, 0, mostGroups)
	for _, i := range kept {
		out = append(out, groups[i])
	}
	return out
}
