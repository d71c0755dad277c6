package ingest

import (
	"banditaudit/ingest/pages"
)

// labelKind is how the values of a column are written as labels.
type labelKind int

const (
	labelText labelKind = iota
	labelWhole
	labelBool
	labelDate
	labelInstant
)

func labelKindOf(c *pages.Column) labelKind {
	switch c.Kind {
	case pages.Bool:
		return labelBool
	case pages.Date:
		return labelDate
	case pages.Timestamp:
		return labelInstant
	case pages.Text:
		return labelText
	case pages.Int, pages.Uint, pages.Decimal, pages.Float, pages.Time, pages.Null, pages.Other:
	}
	return labelWhole
}

// sameLabels reports whether labels of two types can be of one column. What a
// text says is what a whole number, a date or a time is written as; a 1 is not
// what a true is, nor is a number a date, and whoever wrote true as a text may
// have written False as well.
func sameLabels(a, b labelKind) bool {
	return a == b || a != labelBool && b != labelBool && (a == labelText || b == labelText)
}

// names reports whether a role is that of a column of labels, one per row,
// which have to mean the same in all files.
func (r role) names() bool {
	return r == roleExperiment || r == roleAction || r == roleUnit || r == roleBatch
}

// mixed is the fault of a column of labels whose type in a file does not go
// with one that it has in others; nil where it does.
func (l *logFiles) mixed(i int, c *pages.Column, uri string) *InputError {
	w := &l.wants[i]
	if !w.role.names() {
		return nil
	}
	for k := range l.groups[i] {
		g := &l.groups[i][k]
		if !sameLabels(labelKindOf(&g.column), labelKindOf(c)) {
			return &InputError{
				File: uri, RowGroup: -1, Row: -1, Column: w.name, Rule: RuleType,
				What: "is " + c.Type + " where " + g.first + " has " + g.column.Type + ", whose labels are not written alike",
				Mend: "cast it to one type in all files",
			}
		}
	}
	return nil
}
