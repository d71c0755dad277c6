package report

import (
	"strings"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// quantities is an empty table of quantities and their values.
func quantities(caption, at string) page.Table {
	return page.Table{Caption: caption, Pointer: at, RowHead: true, Columns: []page.Column{{Title: "Quantity"}, {Title: "Value"}}}
}

func fact(name, value, pointer string) page.Row {
	return page.Row{Cells: []page.Cell{page.Text(name), page.Number(page.OrDash(value), pointer)}}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// below writes a small text under a number that is there.
func below(c page.Cell, text string) page.Cell {
	if c.Spans[0].Text != page.Dash && text != page.Dash {
		c.Below(text)
	}
	return c
}

// strongList is a list under a line that is printed strong.
func strongList(title string, lines []string) []page.Block {
	return []page.Block{page.Para{Spans: []page.Span{{Text: title, Style: page.StyleStrong}}}, page.List{Items: page.Items(lines...)}}
}

// armName is the label of an arm within a sentence: a number is no name.
func armName(s string) string {
	if s != "" && strings.Trim(s, "0123456789.-") == "" {
		return "arm " + page.Label(s)
	}
	return page.Label(s)
}

// between is an interval of privacy parameters behind its estimate.
func between(lo, hi *schemas.Extended) string {
	if lo == nil || hi == nil {
		return ""
	}
	return " (" + page.Ext(lo, page.Sig) + ", " + page.Ext(hi, page.Sig) + ")"
}
