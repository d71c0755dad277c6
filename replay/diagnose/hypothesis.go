package diagnose

import (
	"cmp"
	"slices"

	"banditaudit/schemas"
)

// Cause is one thing that would explain a log which is not as declared. It is
// tried by one judge, or by both.
type Cause struct {
	Name string // the Name of its schemas.Hypothesis
	// Replay begins to try it on a log that does not have the recomputed
	// propensities. nil: it says nothing of them.
	Replay func(*Replay) Trial
	// Actions tries it on actions that do not follow the logged propensities. nil: it
	// says nothing of them.
	Actions func(*Actions) []Explanation
}

// All lists the hypotheses. Of several that explain as much of a log the first is
// named first: what a log got wrong before what the policy did, and what has a name
// in the declared policy before what has none. A new one is a file and a line of
// this list, and its words for readers a line of schemas/results_hypotheses.go.
func All() []Cause {
	return []Cause{
		sameInstant(),
		stale(),
		swapped(),
		uniformRows(),
		cadence(),
		parameter(),
		prior(),
		floor(),
		clippedFloor(),
	}
}

// Trial is a hypothesis under trial on the replay of one log. All of it may be nil.
type Trial struct {
	// Runs are told of the log in the first pass over it, beside the declared policy.
	// A run may be in several trials.
	Runs []*Run
	// Before and After take a row, with what the declared policy says in the round
	// before it, and after the update that follows it.
	Before, After func(r *Row, want []float64)
	// Leans says how shares of draws lean to what was tried without a fitted number.
	Leans func() []AlternativeFit
	// Say says what was found in the first pass, each with what it explains. The best
	// of them is kept.
	Say func() ([]Explanation, error)
	// Fit tries more, in passes of its own. It is asked where nothing fits.
	Fit func() ([]Explanation, error)
}

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
func ordered(list []Cause, all []Explanation) []Explanation {
	for i := range all {
		all[i].order = slices.IndexFunc(list, func(h Cause) bool { return h.Name == all[i].Name })
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
