package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// List collects what is wrong with a log, by rule, column and kind of breach,
// so that one run reports everything.
type List struct {
	list   []*InputError
	index  map[rowKey]int
	labels map[rowKey][]string
	files  map[fileKey]bool
	alike  map[mistake]*InputError
	At     func(key string) string // where a key of the protocol stands; nil: not known
	more   int                     // faults of files beyond maxFileFaults
}

type rowKey struct{ rule, column, what string }

type fileKey struct {
	file   string
	group  int
	column string
	rule   string
}

// mistake is a fault without the file that has it: one mistake of an export is
// in all of its files.
type mistake struct {
	group                           int
	column, rule, what, mend, cause string
}

func mistakeOf(e *InputError) mistake {
	m := mistake{group: e.RowGroup, column: e.Column, rule: e.Rule, what: e.What, mend: e.Mend}
	if e.Err != nil {
		m.cause = e.Err.Error()
	}
	return m
}

// maxOthers bounds the other files that a fault names.
const maxOthers = 4

// MaxFileFaults bounds the faults of files that are reported one by one: ten
// thousand files may all lack the same column.
const MaxFileFaults = 100

// maxLabels bounds the undeclared labels that a message names.
const maxLabels = 5

// Row counts a row that breaks a rule. What is one of a few texts of the rule,
// none of which has a value of a row in it; mend is used the first time.
func (f *List) Row(rule, column string, at Place, what, mend string) {
	if f.index == nil {
		f.index, f.labels = map[rowKey]int{}, map[rowKey][]string{}
	}
	key := rowKey{rule, column, what}
	i, ok := f.index[key]
	if !ok {
		i = len(f.list)
		f.index[key] = i
		f.list = append(f.list, &InputError{File: at.File, RowGroup: at.RowGroup, Row: at.Row, Column: column, Rule: rule, What: what, Mend: mend})
	}
	e := f.list[i]
	e.Count++
	if len(e.Places) < maxPlaces {
		e.Places = append(e.Places, at)
	}
}

// Label counts a row whose label is not declared, and names the first labels.
func (f *List) Label(rule, column string, at Place, label, what, mend string) {
	f.Row(rule, column, at, what, mend)
	f.Name(rule, column, what, label)
}

// Name names a label of rows that were counted.
func (f *List) Name(rule, column, what, label string) {
	key := rowKey{rule, column, what}
	if known := f.labels[key]; len(known) < maxLabels && !slices.Contains(known, label) {
		f.labels[key] = append(known, label)
	}
}

// Known reports whether a row was counted of a rule, column and kind of breach.
func (f *List) Known(rule, column, what string) bool {
	_, ok := f.index[rowKey{rule, column, what}]
	return ok
}

// File records a fault of a file as a whole, or of a part of it; once, though
// two passes may find it, and once for all files that have it.
func (f *List) File(e *InputError) {
	key, it := fileKey{e.File, e.RowGroup, e.Column, e.Rule}, mistakeOf(e)
	first := f.alike[it]
	switch {
	case f.files[key]:
		return
	case first == nil && len(f.alike) == MaxFileFaults:
		f.more++
		return
	case f.files == nil:
		f.files, f.alike = map[fileKey]bool{}, map[mistake]*InputError{}
	}
	f.files[key] = true
	if first == nil {
		f.alike[it] = e
		f.list = append(f.list, e)
		return
	}
	first.MoreFiles++
	if len(first.Others) < maxOthers {
		first.Others = append(first.Others, e.File)
	}
}

// Any reports whether anything is wrong.
func (f *List) Any() bool { return len(f.list) > 0 }

// Before records what is wrong with a file ahead of what was recorded so far: it is the
// cause of that, or its mend goes first.
func (f *List) Before(e *InputError) {
	n := len(f.list)
	if f.File(e); len(f.list) > n {
		f.list = append([]*InputError{f.list[n]}, f.list[:n]...)
	}
}

// Err joins the faults, in the order in which they were found.
func (f *List) Err() error {
	errs := make([]error, 0, len(f.list)+1)
	for _, e := range f.list {
		if labels := f.labels[rowKey{e.Rule, e.Column, e.What}]; len(labels) > 0 {
			named := *e
			named.What = fmt.Sprintf("%s: %s", e.What, Quoted(labels))
			e = &named
		}
		errs = append(errs, e)
	}
	if f.more > 0 {
		last := f.list[len(f.list)-1]
		errs = append(errs, OfFile("", last.Rule, fmt.Sprintf("%d more faults like these", f.more), "mend these first", nil))
	}
	return errors.Join(errs...)
}

// maxLabelBytes bounds a label within a message.
const maxLabelBytes = 64

// Quoted joins labels in quotes, each cut to 64 bytes.
func Quoted(labels []string) string {
	quoted := make([]string, len(labels))
	for i, l := range labels {
		if len(l) > maxLabelBytes {
			l = strings.ToValidUTF8(l[:maxLabelBytes], "") + "…"
		}
		quoted[i] = schemas.Quoted(l)
	}
	return strings.Join(quoted, ", ")
}

// Page turns an error of package pages into a fault of a file, unless it
// is about memory; then it is returned.
func (f *List) Page(uri string, err error) error {
	if errors.Is(err, pages.ErrLimit) {
		return Resource(uri, err)
	}
	e := OfFile(uri, RuleUnreadable, "is truncated, damaged or of a kind that is not read", "write the log again", err)
	if errors.Is(err, pages.ErrNotParquet) {
		e.What, e.Mend = "is of a kind that is not read", "write the log as Parquet, for instance from CSV with DuckDB: COPY (FROM read_csv('log.csv')) TO 'log.parquet' (FORMAT parquet)"
	}
	if format, ok := errors.AsType[*pages.FormatError](err); ok {
		e.RowGroup, e.Column, e.Err = format.Group, format.Column, format.Err
	}
	if mend, ok := errors.AsType[*pages.MendError](err); ok {
		e.Mend = mend.Mend
	}
	f.File(e)
	return nil
}

// Resource is the error of a file that takes more memory than is allowed; it wraps
// ErrResource.
func Resource(uri string, err error) error {
	return fmt.Errorf("ingest: %s: %w: %w; raise --max-memory, or write the log with smaller row groups and without texts of megabytes", schemas.Printable(uri), ErrResource, err)
}
