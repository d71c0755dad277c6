package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// input is a file of the log as it was when the run began.
type input struct {
	Source
	info   os.FileInfo
	rows   int64
	groups []int64 // rows by row group
	sha    string
}

// logFiles are the files of a log and the columns that are wanted of them.
type logFiles struct {
	inputs  []input
	wants   []want
	types   [][]string // by want: the types that it has in the files, in order
	kinds   [][]pages.Kind
	clocks  []clock // by want, of the first file
	budget  *pages.Budget
	faults  *faults
	rows    int64
	columns []string // of the first file
}

// clock is what numbers of two timestamp columns must share to compare.
type clock struct {
	unit pages.Unit
	utc  bool
}

// openLog looks at the footers of all files. Faults go to the collector; the
// error is about memory or the protocol.
func openLog(ctx context.Context, p *schemas.Protocol, src []Source, limit int64, f *faults) (*logFiles, error) {
	ws, err := wants(p)
	if err != nil {
		return nil, err
	}
	l := &logFiles{wants: ws, budget: pages.NewBudget(limit), faults: f}
	l.types, l.kinds, l.clocks = make([][]string, len(ws)), make([][]pages.Kind, len(ws)), make([]clock, len(ws))
	if len(src) == 0 {
		f.file(fileError("", RuleNoInput, "no log was given", "name Parquet files, directories or patterns", nil))
	}
	sorted := slices.Clone(src)
	slices.SortStableFunc(sorted, func(a, b Source) int { return strings.Compare(a.URI, b.URI) })
	for _, s := range sorted {
		l.inputs = append(l.inputs, input{Source: s})
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		if err := l.look(&l.inputs[len(l.inputs)-1]); err != nil {
			return nil, err
		}
	}
	if l.rows == 0 && !f.any() {
		f.file(fileError("", RuleEmpty, "the log has no rows", "there is nothing to audit; check that the export is complete", nil))
	}
	return l, nil
}

// look reads a file's footer and checks its columns against the wants.
func (l *logFiles) look(in *input) error {
	info, err := os.Stat(in.Path)
	if err != nil || !info.Mode().IsRegular() {
		l.faults.file(fileError(in.URI, RuleNoInput, "cannot be read as a file", "check the path and its permissions", err))
		return nil
	}
	in.info = info
	file, err := l.open(in)
	if err != nil || file == nil {
		return err
	}
	defer file.Close()
	in.rows = file.pages.Rows()
	for g := range file.pages.Groups() {
		in.groups = append(in.groups, file.pages.GroupRows(g))
	}
	l.rows += in.rows
	if l.columns == nil {
		for _, c := range file.pages.Columns() {
			l.columns = append(l.columns, c.Path)
		}
	}
	for i := range l.wants {
		l.note(i, in, file.columns[i])
	}
	return nil
}

// note records the type that a want has in a file, and faults of it.
func (l *logFiles) note(i int, in *input, c *pages.Column) {
	w := &l.wants[i]
	if c == nil {
		return
	}
	if why, mend := w.unfit(c); why != "" {
		l.faults.file(&InputError{File: in.URI, RowGroup: -1, Row: -1, Column: w.name, Rule: RuleType, What: "is " + c.Type + " where " + why, Mend: mend})
		return
	}
	ticks := clock{c.Unit, c.UTC}
	if len(l.kinds[i]) == 0 {
		l.clocks[i] = ticks
	} else if w.role == roleOrder && (orderClass(c.Kind) != orderClass(l.kinds[i][0]) || ticks != l.clocks[i]) {
		l.faults.file(&InputError{
			File: in.URI, RowGroup: -1, Row: -1, Column: w.name, Rule: RuleType,
			What: "is " + c.Type + " where other files have " + l.types[i][0] + ", which does not compare", Mend: "cast it to one type in all files",
		})
		return
	}
	if !slices.Contains(l.types[i], c.Type) {
		l.types[i] = append(l.types[i], c.Type)
	}
	if !slices.Contains(l.kinds[i], c.Kind) {
		l.kinds[i] = append(l.kinds[i], c.Kind)
	}
}

// logFile is an open file of the log.
type logFile struct {
	file    *os.File
	pages   *pages.File
	columns []*pages.Column // by want; nil where it is missing
}

// Close closes the file.
func (f *logFile) Close() {
	f.pages.Close()
	_ = f.file.Close() // It was opened for reading; nothing is lost.
}

// open opens a file, checks that it has not changed, reads its footer and
// finds the columns. It returns nil when a fault was recorded instead.
func (l *logFiles) open(in *input) (*logFile, error) {
	file, err := os.Open(in.Path)
	if err != nil {
		l.faults.file(fileError(in.URI, RuleNoInput, "cannot be opened", "check its permissions", err))
		return nil, nil //nolint:nilnil // the fault was recorded
	}
	f, err := l.read(in, file)
	if f == nil {
		_ = file.Close() // It was opened for reading; nothing is lost.
	}
	return f, err
}

func (l *logFiles) read(in *input, file *os.File) (*logFile, error) {
	info, err := file.Stat()
	if err != nil || !sameState(info, in.info) {
		l.changed(in, err)
		return nil, nil //nolint:nilnil // the fault was recorded
	}
	parquet, err := pages.Open(file, info.Size(), l.budget)
	if err != nil {
		return nil, l.faults.pageFault(in.URI, err)
	}
	f := &logFile{file: file, pages: parquet, columns: make([]*pages.Column, len(l.wants))}
	for i := range l.wants {
		if f.columns[i], err = parquet.Column(l.wants[i].name); err != nil {
			l.missing(in, l.wants[i].name, parquet.Columns(), err)
		}
	}
	return f, nil
}

func sameState(a, b os.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

func (l *logFiles) changed(in *input, err error) {
	l.faults.file(fileError(in.URI, RuleChanged, "is not the file that it was when the run began", "run again when nothing writes to the log", err))
}

// missing records that a file does not have a column, or has two of the name.
func (l *logFiles) missing(in *input, name string, has []*pages.Column, err error) {
	if errors.Is(err, pages.ErrTwice) {
		l.faults.file(&InputError{
			File: in.URI, RowGroup: -1, Row: -1, Column: name, Rule: RuleTwice, What: "the file has two columns of that name",
			Mend: "write the log again with a name of its own for each, and name the one that is meant",
		})
		return
	}
	var paths []string
	for _, c := range has {
		paths = append(paths, c.Path)
	}
	mend := "the file has " + strings.Join(paths[:min(len(paths), maxNamed)], ", ")
	if len(paths) > maxNamed {
		mend += fmt.Sprintf(" and %d more", len(paths)-maxNamed)
	}
	if near := nearest(name, paths); near != "" {
		mend = fmt.Sprintf("did you mean %q? %s", near, mend)
	}
	l.faults.file(&InputError{File: in.URI, RowGroup: -1, Row: -1, Column: name, Rule: RuleColumn, What: "is not in the file", Mend: mend, Err: noCause(err)})
}

// maxNamed bounds the columns that a message lists.
const maxNamed = 30

// noCause drops a cause that says no more than the fault itself.
func noCause(err error) error {
	if err != nil && strings.Contains(err.Error(), "group of several") {
		return err
	}
	return nil
}
