package ingest

import (
	"fmt"
	"strings"

	"banditaudit/ingest/pages"
)

// tieRule collects rows of one experiment whose order keys are equal.
type tieRule struct {
	log     *logFiles
	keys    *keys
	allowed bool // ties: file-order
	count   int64
	first   []Place // pairs
}

// add counts a tie of two rows that follow each other.
func (t *tieRule) add(a, b Place) {
	if t.allowed {
		return
	}
	t.count++
	if len(t.first) < 2 {
		t.first = append(t.first, a, b)
	}
}

// reset forgets ties that were found before the rows were sorted.
func (t *tieRule) reset() { t.count, t.first = 0, nil }

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
	a, b := t.first[0], t.first[1]
	mend := "add a column to log.order that tells them apart, or declare log.ties: file-order if the rows' order in the files is their order in time"
	if c := t.propose(a, b); c != "" {
		mend = fmt.Sprintf("add %q to log.order, which differs between the two, or declare log.ties: file-order if the rows' order in the files is their order in time", c)
	}
	t.log.faults.file(&InputError{
		File: a.File, RowGroup: a.RowGroup, Row: a.Row, Column: strings.Join(names, ", "), Rule: RuleTie,
		What: "ties with " + b.String() + ": the rows have one place in the order",
		Mend: mend, Count: t.count, Places: []Place{a, b},
	})
}

// propose returns a column whose values differ between two rows: first numbers
// and times, then text, in the order of the file.
func (t *tieRule) propose(a, b Place) string {
	taken := map[string]bool{}
	for _, w := range t.log.wants {
		if w.role == roleOrder || w.role == roleReward || w.role == roleAction || w.role == roleExperiment || w.role == rolePropensity {
			taken[w.name] = true
		}
	}
	for _, text := range []bool{false, true} {
		for _, name := range t.log.columns {
			if taken[name] {
				continue
			}
			x, okX := t.value(a, name, text)
			y, okY := t.value(b, name, text)
			if okX && okY && x != y {
				return name
			}
		}
	}
	return ""
}

// value reads one value of a column that could order rows, as text or not.
func (t *tieRule) value(at Place, name string, text bool) (string, bool) {
	for i := range t.log.inputs {
		if t.log.inputs[i].URI == at.File {
			return t.valueIn(&t.log.inputs[i], at, name, text)
		}
	}
	return "", false
}

func (t *tieRule) valueIn(in *input, at Place, name string, text bool) (string, bool) {
	f, err := t.log.open(in)
	if err != nil || f == nil {
		return "", false
	}
	defer f.Close()
	c, err := f.pages.Column(name)
	if err != nil || c.List || !c.Readable() || c.Kind == pages.Float || c.Kind == pages.Bool || (c.Kind == pages.Text) != text {
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
		n, err := cursor.Next(&b, blockRows)
		switch {
		case err != nil:
			return "", false
		case skip >= int64(n):
			skip -= int64(n)
		default:
			return labelAt(&b, c, int(skip)), !b.Null[skip]
		}
	}
}
