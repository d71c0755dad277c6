package ingest

import (
	"errors"
	"fmt"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// resolve finds a wanted column for a file: one of its own; else, because a
// value in the file is closer to the row, a partition of its path. A file that
// has neither is at fault, whatever the column's role.
func (l *logFiles) resolve(in *input, f *logFile, i int) {
	name := l.wants[i].Name
	c, err := f.pages.Column(name)
	f.factors[i] = 1
	if err == nil && c.Kind == pages.Null && l.settled && len(l.groups[i]) > 0 {
		f.constants[i] = files.Null(&l.groups[i][0].Column) // nulls of the type that other files have
		f.shown[i] = f.constants[i].Column
		return
	}
	if err == nil {
		f.columns[i], f.shown[i] = c, c
		if a := l.axes[i]; a != nil && l.settled {
			f.shown[i], f.factors[i] = a.Shown(c)
		}
		return
	}
	if errors.Is(err, pages.ErrTwice) {
		l.twice(in, name, "the file has two columns of that name")
		return
	}
	k, twice := l.partitions.Constant(in.Partitions, name)
	switch {
	case twice:
		l.twice(in, name, "the path has two partitions of that name")
	case k != nil:
		if a := l.axes[i]; a != nil && l.settled {
			k.Scale(a)
		}
		f.constants[i], f.shown[i] = k, k.Column
	case !l.settled:
		l.absent[i].add(in, f, err)
	}
}

func (l *logFiles) twice(in *input, name, what string) {
	l.faults.File(&fault.InputError{
		File: in.URI, RowGroup: -1, Row: -1, Column: name, Rule: fault.RuleTwice, What: what,
		Mend: "write the log again with a name of its own for each, and name the one that is meant",
	})
}

// absence are the files that do not have a column.
type absence struct {
	files int
	first []string          // URIs of the first of them
	has   []string          // the columns that the first of them has
	group *pages.GroupError // what the first of them has by that name, where it is several columns
}

// maxAbsent bounds the files that a message names.
const maxAbsent = 5

func (a *absence) add(in *input, f *logFile, err error) {
	a.files++
	if len(a.first) < maxAbsent {
		a.first = append(a.first, in.URI)
	}
	if a.has != nil {
		return
	}
	a.group, _ = errors.AsType[*pages.GroupError](err)
	for _, c := range f.pages.Columns() {
		a.has = append(a.has, c.Path)
	}
	for _, p := range in.Partitions {
		a.has = append(a.has, p.Key)
	}
}

// settle is called when every file was looked at. A column that a file does not
// have is a fault, also where a null in it would have a meaning: a null says
// something of its row, and a file without the column says nothing.
func (l *logFiles) settle() {
	l.settled = true
	for i := range l.absent {
		l.settleNulls(i)
		if l.absent[i].files > 0 {
			l.faults.File(l.missing(i))
		}
	}
}

// settleNulls judges a column that has nothing but nulls, and no type, in some
// files: where no other file gives it one, it cannot be read.
func (l *logFiles) settleNulls(i int) {
	n := &l.untyped[i]
	switch {
	case n.Files == 0:
	case len(l.groups[i]) > 0:
		l.types[i] = append(l.types[i], n.Column.Type)
	default:
		l.faults.File(&fault.InputError{
			File: n.First, RowGroup: -1, Row: -1, Column: l.wants[i].Name, Rule: fault.RuleType,
			What: "is " + n.Column.Type + " in every file: it has no type, and every value is null",
			Mend: "check the export, or leave the column out of the protocol",
		})
	}
}

// maxNamed bounds the columns that a message lists.
const maxNamed = 30

// missing is the fault of a column that files do not have.
func (l *logFiles) missing(i int) *fault.InputError {
	a, name := &l.absent[i], l.wants[i].Name
	e := &fault.InputError{File: a.first[0], RowGroup: -1, Row: -1, Column: name, Rule: fault.RuleColumn, What: "is not in the file"}
	if a.group != nil {
		e.What, e.Mend = notOne(a.group)
		e.MoreFiles, e.Others = a.files-1, a.first[1:]
		return e
	}
	if n := len(l.inputs); a.files == n && n > 1 {
		e.File, e.What = "", fmt.Sprintf("is in none of the %d files", n)
	} else if others := a.first[1:]; len(others) > 0 {
		e.What = fmt.Sprintf("is not in %d of %d files, nor in %s", a.files, n, strings.Join(others, ", "))
		if a.files > len(a.first) {
			e.What += " and more"
		}
	}
	e.What += ", and " + l.named(i) + " names it"
	e.Mend = a.mend(name, a.files < len(l.inputs)) + "; name one of these there, or write the column"
	if len(l.groups[i]) > 0 {
		e.What += ", and other files have it: what is absent is not null"
		e.Mend = "write it into every file, or audit those files alone, under a protocol that does not name it; " + e.Mend
	}
	return e
}

// named is the key that names a column, and where that stands.
func (l *logFiles) named(i int) string {
	key := l.wants[i].At()
	if l.faults.At == nil {
		return key + " of the protocol"
	}
	return key + " (" + l.faults.At(key) + ")"
}

// notOne says what a name is that stands for several columns, and the mend.
func notOne(g *pages.GroupError) (what, mend string) {
	if g.Map {
		return "is a map, and maps are not read", "take one key of it in SQL, such as " + role.SQLName(g.Name) + "['KEY'], and name the column that has it"
	}
	return "is a group of several columns", "name one of them, such as " + schemas.Quoted(g.First) + " or " + schemas.Quoted(g.Second)
}

// mend names what the files have, and what is most like a name.
func (a *absence) mend(name string, some bool) string {
	mend := "the file has "
	if !some && a.files > 1 {
		mend = "the first has "
	}
	mend += strings.Join(a.has[:min(len(a.has), maxNamed)], ", ")
	if len(a.has) > maxNamed {
		mend += fmt.Sprintf(" and %d more", len(a.has)-maxNamed)
	}
	if near := fault.Nearest(name, a.has); near != "" {
		mend = "did you mean " + schemas.Quoted(near) + "? " + mend
	}
	return mend
}

// mixed is the fault of a column of labels whose type in a file does not go
// with one that it has in others; nil where it does.
func (l *logFiles) mixed(i int, c *pages.Column, uri string) *fault.InputError {
	w := &l.wants[i]
	if !w.Labels {
		return nil
	}
	for k := range l.groups[i] {
		g := &l.groups[i][k]
		if !cell.SameLabels(&g.Column, c) {
			return &fault.InputError{
				File: uri, RowGroup: -1, Row: -1, Column: w.Name, Rule: fault.RuleType,
				What: "is " + c.Type + " where " + g.First + " has " + g.Column.Type + ", whose labels are not written alike",
				Mend: "cast it to one type in all files",
			}
		}
	}
	return nil
}
