package report

import (
	"fmt"

	"banditaudit/schemas"
)

// addHypotheses adds what was tried to explain something that contradicts the
// declaration, in the order of the results; nothing where nothing was tried.
func addHypotheses(b *builder, caption string, tried []schemas.Hypothesis, at string) {
	if len(tried) == 0 {
		return
	}
	t := table{
		Caption: caption,
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Explanation"},
			{Title: "Fits"},
			{Title: "Fitted value", Note: "what it is, and its interval, below it", Numeric: true},
			{Title: "Rows explained", Note: "of those tried, and by the declared policy", Numeric: true},
			numeric("Largest deviation left"), numeric("p"),
		},
	}
	for i := range tried {
		h, here := &tried[i], item(at, i)
		name := txt(h.Words)
		if h.Fits && h.Settles != nil {
			name.Spans = append(name.Spans, span{Text: "if that is what ran, declare " + *h.Settles, Style: styleSmall, Break: true})
		}
		value := number(opt(h.Value, sig), sub(here, "value"))
		if what := h.Fitted(); what != "" && h.Value != nil {
			value = below(value, what)
		}
		if h.Lo != nil && h.Hi != nil {
			value = below(value, "("+sig(*h.Lo)+", "+sig(*h.Hi)+")")
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			name,
			number(yesNo(h.Fits), sub(here, "fits")),
			value,
			declaredRows(number(explainedRows(h), sub(here, "explained")), h),
			number(opt(h.Largest, short), sub(here, "largest")),
			number(pvalue(h.P, nil), sub(here, "p")),
		}})
	}
	b.add(t)
	b.note("An explanation that fits is one under which nearly all rows are within tolerance, and more than under the declared policy, or whose test does not reject it. It names what could have written this log, and does not show that it did; one that was not tried may fit as well.")
}

// declaredRows adds below a cell how many of the rows the declared policy explains.
func declaredRows(c cell, h *schemas.Hypothesis) cell {
	if h.Declared == nil {
		return c
	}
	return below(c, "declared: "+group(*h.Declared))
}

// explainedRows counts the rows within tolerance; what was tested and not compared
// row by row has none to count.
func explainedRows(h *schemas.Hypothesis) string {
	if !h.Compared() {
		return dash
	}
	return fmt.Sprintf("%s of %s", group(h.Explained), group(h.Rows))
}
