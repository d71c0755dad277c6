package report

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// Tables writes the tables of the results, one file each, for a warehouse:
// experiments, claims, inputs, family, checks, splits, propensities, noise,
// noise_scales, hypotheses, arms, ledger, regressions, tests, estimates and
// series. Rows are flat and keep the order of results.json; every table but inputs
// has a column experiment. Numbers are in full precision, absent ones are null,
// infinite ones are ±Inf. Text is as it was in the log, not escaped.
//
// Experiments are written as they come, so that a log of thousands is never
// held as a whole. The same results give the same bytes. It is not safe for
// concurrent use. Special cases are:
//
//	a table without rows is written with its schema
//	a list is joined by ", "
type Tables struct {
	create Create
	format format
	files  []*tableFile
}

// Create opens a file of the report for writing; name has slashes.
type Create func(name string) (io.WriteCloser, error)

// NewParquet starts the tables as Parquet files made by tool.
func NewParquet(create Create, tool schemas.Tool) (*Tables, error) {
	return newTables(create, format{extension: ".parquet", tool: tool})
}

// NewCSV starts the tables as comma-separated values (RFC 4180), with the
// columns' names in the first line. An absent number is an empty field, ±∞ is
// "+Inf" or "-Inf"; numbers are in full precision.
//
// A text field that a spreadsheet would take for a formula (it begins with =,
// +, -, @, a tab or a carriage return) has an apostrophe before it: text in a
// log is not to be run by whoever opens its report.
func NewCSV(create Create) (*Tables, error) {
	return newTables(create, format{extension: ".csv"})
}

// format says how rows are written.
type format struct {
	extension string
	tool      schemas.Tool
}

// newTables starts every table.
func newTables(create Create, f format) (*Tables, error) {
	t := &Tables{create: create, format: f}
	if err := errors.Join(t.begin()...); err != nil {
		return nil, errors.Join(err, t.Abandon())
	}
	return t, nil
}

// Add writes the rows of the next experiment.
func (t *Tables) Add(x *schemas.Experiment) error {
	for _, s := range t.files {
		if s.each == nil {
			continue
		}
		if err := s.each(x); err != nil {
			return err
		}
	}
	return nil
}

// Finish writes what is about the whole run and closes the files, also after an
// error. Of head the experiments are not looked at.
func (t *Tables) Finish(head *schemas.Results) error {
	var faults []error
	for _, s := range t.files {
		faults = append(faults, s.finish(head))
	}
	return errors.Join(append(faults, t.Abandon())...)
}

// Abandon closes the files as they are; after Finish it does nothing.
func (t *Tables) Abandon() error {
	var faults []error
	for _, s := range t.files {
		faults = append(faults, s.file.Close())
	}
	t.files = nil
	return errors.Join(faults...)
}

// rowWriter writes rows of values in one format; nil is null.
type rowWriter interface {
	Write(rows [][]any) error
	Flush() error
	Close() error
}

// rowGroup is the number of rows after which what is written leaves memory.
const rowGroup = 1 << 17

// tableFile is one table.
type tableFile struct {
	name    string
	each    func(*schemas.Experiment) error // writes the rows of an experiment; nil: there are none
	whole   func(*schemas.Results) error    // writes the rows of the run; nil: there are none
	file    io.Closer
	out     rowWriter
	pending int
}

// ofExperiments starts a table of which every experiment has rows; words are its
// columns.
func ofExperiments[T any](t *Tables, name, record, words string, rows func(*schemas.Experiment) []T) error {
	return start(t, name, record, words, func(s *tableFile, write func([]T) error) {
		s.each = func(x *schemas.Experiment) error { return write(rows(x)) }
	})
}

// ofRun starts a table of which the whole run has rows.
func ofRun[T any](t *Tables, name, record, words string, rows func(*schemas.Results) []T) error {
	return start(t, name, record, words, func(s *tableFile, write func([]T) error) {
		s.whole = func(r *schemas.Results) error { return write(rows(r)) }
	})
}

// start opens the file of a table and tells connect how its rows are written.
func start[T any](t *Tables, name, record, words string, connect func(*tableFile, func([]T) error)) error {
	file, err := t.create("tables/" + name + t.format.extension)
	if err != nil {
		return fmt.Errorf("report: table %s: %w", name, err)
	}
	fields := fieldsOf[T](words)
	s := &tableFile{name: name, file: file}
	if t.format.extension == ".csv" {
		s.out, err = newCSVWriter(file, fields)
	} else {
		s.out = newParquetWriter(file, record, fields, t.format.tool)
	}
	connect(s, func(rows []T) error {
		values := make([][]any, len(rows))
		for i := range rows {
			v := reflect.ValueOf(&rows[i]).Elem()
			values[i] = make([]any, len(fields))
			for j := range fields {
				values[i][j] = fields[j].value(v)
			}
		}
		return s.write(values)
	})
	t.files = append(t.files, s)
	return err
}

func (s *tableFile) write(rows [][]any) error {
	err := s.out.Write(rows)
	if s.pending += len(rows); err == nil && s.pending >= rowGroup {
		s.pending = 0
		err = s.out.Flush()
	}
	if err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}

// finish writes the rows of the whole run and ends the table.
func (s *tableFile) finish(head *schemas.Results) error {
	if s.whole != nil {
		if err := s.whole(head); err != nil {
			return err
		}
	}
	if err := s.out.Close(); err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}

// parquetWriter writes rows as Parquet.
type parquetWriter struct {
	*parquet.GenericWriter[any]
	fields []field
}

// newParquetWriter starts a file. CreatedBy is set so that it does not depend on
// how the program was built.
func newParquetWriter(w io.Writer, record string, fields []field, tool schemas.Tool) parquetWriter {
	return parquetWriter{parquet.NewGenericWriter[any](w, schemaOf(record, fields), parquet.CreatedBy(tool.Name, tool.Version, ""), parquet.Compression(&parquet.Snappy)), fields}
}

// Write writes rows.
func (p parquetWriter) Write(rows [][]any) error {
	out := make([]parquet.Row, len(rows))
	for i, row := range rows {
		out[i] = make(parquet.Row, len(row))
		for j, v := range row {
			defined := 0
			if p.fields[j].optional && v != nil {
				defined = 1
			}
			out[i][j] = parquet.ValueOf(v).Level(0, defined, j)
		}
	}
	_, err := p.WriteRows(out)
	return err
}
