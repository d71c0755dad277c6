package ingest

import (
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// tieRule collects rows of one experiment whose order keys are equal.
type tieRule struct {
	log     *logFiles
	keys    *keys
	allowed bool // ties: file-order
	count   int64
	first   [2]int64 // rows of the log
}

// add counts a tie of two rows of the log that follow each other in the order.
func (t *tieRule) add(a, b int64) {
	if t.allowed {
		return
	}
	if t.count == 0 {
		t.first = [2]int64{a, b}
	}
	t.count++
}

// reset forgets ties that were found before the rows were sorted.
func (t *tieRule) reset() { t.count = 0 }

// report records the ties as one fault, which names the first two rows and a
// column that tells them apart.
func (t *tieRule) report() {
	if t.count == 0 {
		return
	}
	var names []string
	for i := range t.keys.columns {
		names = append(names, t.keys.columns[i].name)
	}
	a, b := t.log.placeOf(t.first[0]), t.log.placeOf(t.first[1])
	column := "a column that numbers the rows, such as a sequence number"
	if c := t.propose(a, b); c != "" {
		column = schemas.Quoted(c) + " to log.order, which differs between the two"
	}
	mend := "add " + column + ", or declare log.ties: file-order if the rows' order in the files is their order in time"
	t.log.faults.File(&fault.InputError{
		File: a.File, RowGroup: a.RowGroup, Row: a.Row, Column: strings.Join(names, ", "), Rule: fault.RuleTie,
		What: "ties with " + b.String() + ": the rows have one place in the order",
		Mend: mend, Count: t.count, Places: []fault.Place{a, b},
	})
}

// ordering is how plausible it is that a column orders rows.
type ordering int

const (
	ordersNothing  ordering = iota
	ordersAsText            // compared bytewise
	ordersAsTime            // or date, or time of day
	ordersAsNumber          // whole numbers
	ordersByName            // whole numbers that are named like a place in a sequence, or like an identifier
	orderings               // one beyond
)

// orderingOf judges a column by its type and name. What is measured orders
// nothing, and by an outcome no log may be ordered.
func (t *tieRule) orderingOf(c *pages.Column, name string) ordering {
	if c.Depth > 0 || !c.Readable() || t.log.roles.IsOutcomeName(name) {
		return ordersNothing
	}
	switch {
	case cell.WholeNumbers(c) && !role.IsUnitName(name) && (role.IsKeyName(name) || t.log.roles.Of(role.Order).Match(name) > 0):
		return ordersByName
	case cell.WholeNumbers(c):
		return ordersAsNumber
	case c.Kind == pages.Timestamp || c.Kind == pages.Date || c.Kind == pages.Time:
		return ordersAsTime
	case c.Kind == pages.Text:
		return ordersAsText
	}
	return ordersNothing
}

// propose returns a column without a role whose values differ between two rows,
// the most plausible first, in the order of the file; "" where there is none.
func (t *tieRule) propose(a, b fault.Place) string {
	taken := map[string]bool{}
	for _, w := range t.log.wants {
		taken[w.Name] = true
	}
	for like := orderings - 1; like > ordersNothing; like-- {
		for _, name := range t.log.columns {
			if taken[name] {
				continue
			}
			x, okX := t.value(a, name, like)
			y, okY := t.value(b, name, like)
			if okX && okY && x != y {
				return name
			}
		}
	}
	return ""
}

// value reads one value of a column that orders rows as plausibly as asked.
func (t *tieRule) value(at fault.Place, name string, like ordering) (string, bool) {
	for i := range t.log.inputs {
		if t.log.inputs[i].URI == at.File {
			return t.valueIn(&t.log.inputs[i], at, name, like)
		}
	}
	return "", false
}

func (t *tieRule) valueIn(in *input, at fault.Place, name string, like ordering) (string, bool) {
	f, err := t.log.open(in)
	if err != nil || f == nil {
		return "", false
	}
	defer f.Close()
	c, err := f.pages.Column(name)
	if err != nil || t.orderingOf(c, name) != like {
		return "", false
	}
	skip := at.Row
	for g := range at.RowGroup {
		skip -= f.pages.GroupRows(g)
	}
	cursor, err := f.pages.Cursor(at.RowGroup, c)
	if err != nil {
		return "", false
	}
	defer cursor.Close()
	var b pages.Block
	for {
		n, err := cursor.Next(&b, cell.BlockRows)
		switch {
		case err != nil:
			return "", false
		case skip >= int64(n):
			skip -= int64(n)
		default:
			return cell.LabelAt(&b, c, int(skip)), b.Nulls == 0 || !b.Null[skip]
		}
	}
}
