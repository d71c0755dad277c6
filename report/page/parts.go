package page

import (
	"strings"

	"banditaudit/schemas"
)

// Quantities is an empty table of quantities and their values.
func Quantities(caption, at string) Table {
	return Table{Caption: caption, Pointer: at, RowHead: true, Columns: []Column{{Title: "Quantity"}, {Title: "Value"}}}
}

// Fact is a row of a table of quantities.
func Fact(name, value, pointer string) Row {
	return Row{Cells: []Cell{Text(name), Number(OrDash(value), pointer)}}
}

// YesNo writes a yes or a no.
func YesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// BelowNumber writes a small text under a number that is there.
func BelowNumber(c Cell, text string) Cell {
	if c.Spans[0].Text != Dash && text != Dash {
		c.Below(text)
	}
	return c
}

// StrongList is a list under a line that is printed strong.
func StrongList(title string, lines []string) []Block {
	return []Block{Para{Spans: []Span{{Text: title, Style: StyleStrong}}}, List{Items: Items(lines...)}}
}

// ArmName is the label of an arm within a sentence: a number is no name.
func ArmName(s string) string {
	if s != "" && strings.Trim(s, "0123456789.-") == "" {
		return "arm " + Label(s)
	}
	return Label(s)
}

// Between is an interval of privacy parameters behind its estimate.
func Between(lo, hi *schemas.Extended) string {
	if lo == nil || hi == nil {
		return ""
	}
	return " (" + Ext(lo, Sig) + ", " + Ext(hi, Sig) + ")"
}
