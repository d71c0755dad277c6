package evidence

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// Explained names what fits best of the explanations that were tried for
// something that contradicts the declared policy, or all that were tried where
// none fits; "" where none was.
func Explained(tried []schemas.Hypothesis) string {
	if len(tried) == 0 {
		return ""
	}
	if h := schemas.Fitting(tried); h != nil {
		return schemas.WhatFits + h.Sentence()
	}
	names := make([]string, len(tried))
	for i := range tried {
		names[i] = tried[i].Kind()
	}
	slices.Sort(names)
	return ". None of the explanations tried fits: " + strings.Join(slices.Compact(names), ", ")
}
