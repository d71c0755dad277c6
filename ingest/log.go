package ingest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/mmap"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// input is a file of the log as it was when the run began.
type input struct {
	files.Source
	info   os.FileInfo
	rows   int64
	groups []int64 // rows by row group
	sha    string
	placed string // values by its path: see logFiles.placed
}

// logFiles are the files of a log and the columns that are wanted of them. Of
// a file's footer it keeps no more than its rows: footers of ten thousand
// files, each with thousands of columns, are read again where they are needed.
type logFiles struct {
	jobs       int  // goroutines that decode
	armed      bool // the protocol declares arms
	inputs     []input
	roles      role.List // all that there are
	wants      []role.Want
	types      [][]string // by want: the types that it has in the files, in order
	kinds      [][]pages.Kind
	groups     [][]cell.Typed
	absent     []absence    // by want
	untyped    []cell.Typed // by want: the files in which every value is null
	axes       []*cell.Axis // by want; nil where values need not compare
	partitions files.PartitionKeys
	settled    bool   // every file was looked at
	clock      *clock // nil where the policy does not learn by one
	budget     *pages.Budget
	faults     *fault.List
	rows       int64
	columns    []string        // of the first file
	asked      map[string]bool // columns that the protocol names
}

// newLogFiles makes the wants of a protocol; its error is about the protocol.
// Faults go to the collector; limit bounds the memory.
func newLogFiles(p *schemas.Protocol, roles role.List, limit int64, f *fault.List) (*logFiles, error) {
	ws, err := roles.Wanted(p)
	if err != nil {
		return nil, err
	}
	n := len(ws)
	l := &logFiles{
		asked: map[string]bool{},
		armed: len(p.Arms) > 0, roles: roles, wants: ws, budget: pages.NewBudget(limit), faults: f, partitions: files.PartitionKeys{},
		types: make([][]string, n), kinds: make([][]pages.Kind, n), groups: make([][]cell.Typed, n),
		absent: make([]absence, n), untyped: make([]cell.Typed, n), axes: make([]*cell.Axis, n),
	}
	for i := range ws {
		l.asked[ws[i].Name] = true
	}
	var first *cell.Axis // of the order, on which rewards are ordered too
	for i := range ws {
		switch ws[i].Compares {
		case role.OwnAxis:
			l.axes[i] = new(cell.Axis)
			if first == nil {
				first = l.axes[i]
			}
		case role.FirstAxis:
			l.axes[i] = first
		case role.None: // labels and numbers need not compare across files
		}
	}
	return l, nil
}

// openLog looks at the footers of all files. The error is about memory.
func (l *logFiles) openLog(ctx context.Context, src []files.Source) error {
	if len(src) == 0 {
		l.faults.File(fault.OfFile("", fault.RuleNoInput, "no log was given", "name Parquet files, directories or patterns", nil))
	}
	sorted := slices.Clone(src)
	slices.SortStableFunc(sorted, func(a, b files.Source) int { return strings.Compare(a.URI, b.URI) })
	for _, s := range sorted {
		l.inputs = append(l.inputs, input{Source: s})
		l.partitions.Add(s.Partitions)
	}
	for i := range l.inputs {
		if err := fault.Stopped(ctx); err != nil {
			return err
		}
		if err := l.look(&l.inputs[i]); err != nil {
			return err
		}
	}
	l.settle()
	return nil
}

// whatNoRows is what is wrong with a log without rows.
const whatNoRows = "the log has no rows"

// Empty is the fault of a log without rows.
func Empty() *fault.InputError {
	return fault.OfFile("", fault.RuleEmpty, whatNoRows, "there is nothing to audit; check that the export is complete", nil)
}

// filled refuses a log without rows.
func (l *logFiles) filled() {
	if l.rows == 0 && !l.faults.Any() {
		l.faults.File(Empty())
	}
}

// NoRows reports whether an error of Ingest says nothing but that there are no rows.
func NoRows(err error) bool {
	e, ok := errors.AsType[*fault.InputError](err)
	return ok && e.What == whatNoRows
}

// look reads a file's footer and checks its columns against the wants.
func (l *logFiles) look(in *input) error {
	info, err := os.Stat(in.Path)
	if err != nil || !info.Mode().IsRegular() {
		l.faults.File(fault.OfFile(in.URI, fault.RuleNoInput, "cannot be read as a file", "check the path and its permissions", err))
		return nil
	}
	in.info = info
	file, err := l.open(in)
	if err != nil || file == nil {
		return err
	}
	defer file.Close()
	in.rows, in.placed = file.pages.Rows(), l.placed(in, file)
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
		if file.shown[i] != nil {
			l.note(i, in, file.shown[i])
		}
	}
	return nil
}

// note records the type that a want has in a file, and faults of it.
func (l *logFiles) note(i int, in *input, c *pages.Column) {
	w := &l.wants[i]
	if c.Kind == pages.Null {
		if n := &l.untyped[i]; n.Files == 0 {
			*n = cell.Typed{Column: *c, First: in.URI}
		}
		l.untyped[i].Files++
		return
	}
	if why, mend := w.Unfit(c); why != "" {
		l.faults.File(&fault.InputError{File: in.URI, RowGroup: -1, Row: -1, Column: w.Name, Rule: fault.RuleType, What: "is " + c.Type + " where " + why, Mend: mend})
		return
	}
	if !l.armed && w.Ordered(c) {
		l.faults.File(&fault.InputError{
			File: in.URI, RowGroup: -1, Row: -1, Column: w.Name, Rule: fault.RuleType,
			What: "is " + c.Type + ", and arms are not declared (" + role.InArmOrder + ")", Mend: role.MendArmOrder,
		})
		return
	}
	if a := l.axes[i]; a != nil && !a.Join(c, w.Name, in.URI) {
		l.faults.File(a.Mismatch(w.Name, in.URI, c))
		return
	}
	if e := l.mixed(i, c, in.URI); e != nil {
		l.faults.File(e)
		return
	}
	l.count(i, c, in.URI)
}

// count adds a file to the group of its type.
func (l *logFiles) count(i int, c *pages.Column, uri string) {
	if !slices.Contains(l.kinds[i], c.Kind) {
		l.kinds[i] = append(l.kinds[i], c.Kind)
	}
	for k := range l.groups[i] {
		if l.groups[i][k].Column.Type == c.Type {
			l.groups[i][k].Files++
			return
		}
	}
	l.types[i] = append(l.types[i], c.Type)
	l.groups[i] = append(l.groups[i], cell.Typed{Column: *c, Files: 1, First: uri})
}

// logFile is an open file of the log.
type logFile struct {
	file      *os.File
	release   func() // of the file's mapping
	pages     *pages.File
	columns   []*pages.Column   // by want, as they are in the file; nil where it has none
	constants []*files.Constant // by want; nil where the column is in the file, or missing
	shown     []*pages.Column   // by want, as cursors show them; nil where it is missing
	factors   []int64           // by want: what turns columns into what is shown
}

// Close closes the file.
func (f *logFile) Close() {
	f.pages.Close()
	f.release()
	_ = f.file.Close() // It was opened for reading; nothing is lost.
}

// unified brings the values of a cursor to the scale of the other files.
func (f *logFile) unified(i int, c cell.Cursor) cell.Cursor {
	if f.factors[i] == 1 {
		return c
	}
	return cell.Scale(c, f.factors[i], f.columns[i].Kind == pages.Uint)
}

// open opens a file, checks that it has not changed, reads its footer and
// finds the columns. It returns nil when a fault was recorded instead.
func (l *logFiles) open(in *input) (*logFile, error) {
	file, err := os.Open(in.Path)
	if err != nil {
		l.faults.File(fault.OfFile(in.URI, fault.RuleNoInput, "cannot be opened", "check its permissions", err))
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
	if err != nil || !mmap.SameState(info, in.info) {
		l.changed(in, err)
		return nil, nil //nolint:nilnil // the fault was recorded
	}
	source, release := files.Reader(file)
	parquet, err := pages.Open(source, info.Size(), l.budget)
	if err != nil {
		release()
		return nil, l.faults.Page(in.URI, err)
	}
	n := len(l.wants)
	f := &logFile{file: file, release: release, pages: parquet, columns: make([]*pages.Column, n), constants: make([]*files.Constant, n), shown: make([]*pages.Column, n), factors: make([]int64, n)}
	for i := range l.wants {
		l.resolve(in, f, i)
	}
	return f, nil
}

func (l *logFiles) changed(in *input, err error) { l.faults.File(changedError(in, err)) }

func changedError(in *input, err error) *fault.InputError {
	return fault.OfFile(in.URI, fault.RuleChanged, "is not the file that it was when the run began", "run again when nothing writes to the log", err)
}
