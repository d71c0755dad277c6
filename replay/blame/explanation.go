package blame

import (
	"cmp"
	"slices"

	"banditaudit/schemas"
)

// Explanation is a hypothesis that was tried on a log.
type Explanation struct {
	schemas.Hypothesis

	// explains is how much of the log it explains, by its judge: the share of rows
	// within tolerance, or by how much the actions are likelier than as logged.
	explains float64
	order    int // of those that explain as much, the smaller is named first
}

// ranked sorts explanations: those that fit first, then by how much they explain,
// on how many rows, and by the order of the list.
func ranked(all []Explanation) []Explanation {
	slices.SortStableFunc(all, func(a, b Explanation) int {
		if a.Fits != b.Fits {
			return map[bool]int{true: -1, false: 1}[a.Fits]
		}
		return cmp.Or(cmp.Compare(b.explains, a.explains), cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.order, b.order))
	})
	return all
}

// best keeps the explanation that ranks first.
func best(all []Explanation) []Explanation { return ranked(all)[:min(1, len(all))] }

// fits reports whether one of some explanations fits.
func fits(all []Explanation) bool {
	return slices.ContainsFunc(all, func(e Explanation) bool { return e.Fits })
}

// ordered gives explanations their place in the list of hypotheses.
func ordered(list []Hypothesis, all []Explanation) []Explanation {
	for i := range all {
		all[i].order = slices.IndexFunc(list, func(h Hypothesis) bool { return h.Name == all[i].Name })
	}
	return all
}

// results are explanations as results have them.
func results(all []Explanation) []schemas.Hypothesis {
	out := make([]schemas.Hypothesis, len(all))
	for i := range all {
		out[i] = all[i].Hypothesis
	}
	return out
}
