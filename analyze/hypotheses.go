package analyze

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// explained names what fits best of the explanations that were tried for
// something that contradicts the declared policy, or all that were tried where
// none fits; "" where none was.
func explained(tried []schemas.Hypothesis) string {
	if len(tried) == 0 {
		return ""
	}
	if h := schemas.Fitting(tried); h != nil {
		return schemas.WhatFits + hypothesisWords(h)
	}
	names := make([]string, len(tried))
	for i := range tried {
		names[i] = tried[i].Name
	}
	slices.Sort(names)
	return ". None of the explanations tried fits: " + strings.Join(slices.Compact(names), ", ")
}

// hypothesisWords are its sentence, without a full stop, and how far it goes.
func hypothesisWords(h *schemas.Hypothesis) string {
	out := strings.TrimRight(h.Words, ".")
	if h.Compared() && h.Explained < h.Rows {
		out += fmt.Sprintf(" (explains %s of %s)", schemas.Grouped(h.Explained), plural(h.Rows, "row")+" on which it was tried")
	}
	return out
}
