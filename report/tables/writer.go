// Package tables writes results as flat tables, for a warehouse: Parquet or CSV.
package tables

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// Writer writes the tables of the results, one file each, for a warehouse:
// run, experiments, claims, inputs, family, checks, measures, splits, propensities,
// noise, noise_scales, hypotheses, arms, ledger, regressions, tests, comparisons,
// estimates and series. Rows are flat and keep the order of results.json; every table
// but run and inputs has a column experiment. A row about an arm has its place in arm and
// its label in arm_label, a row about what one has above another the other's in versus
// and versus_label: (experiment, arm) is the key of arms. Numbers are in full precision, absent ones are null,
// infinite ones are ±Inf. Text is as it was in the log, not escaped.
//
// Experiments are written as they come, so that a log of thousands is never
// held as a whole. The same results give the same bytes. It is not safe for
// concurrent use. Special cases are:
//
//	a table without rows is written with its schema
//	a list of texts is a LIST in Parquet, and a JSON array in CSV
type Writer struct {
	files  []*tableFile
	claims schemas.ClaimSums
}

// Create opens a file of the report for writing; name has slashes.
type Create func(name string) (io.WriteCloser, error)

// NewParquet starts the tables as Parquet files made by tool.
func NewParquet(create Create, tool schemas.Tool) (*Writer, error) {
	return newTables(create, format{extension: ".parquet", tool: tool})
}

// NewCSV starts the tables as comma-separated values (RFC 4180), with the
// columns' names in the first line. An absent number is an empty field, ±∞ is
// "+Inf" or "-Inf"; numbers are in full precision.
//
// A text field that a spreadsheet would take for a formula (it begins with =,
// +, -, @, a tab or a carriage return) has an apostrophe before it: text in a
// log is not to be run by whoever opens its report.
func NewCSV(create Create) (*Writer, error) {
	return newTables(create, format{extension: ".csv"})
}

// format says how rows are written.
type format struct {
	extension string
	tool      schemas.Tool
}

// newTables starts every table.
func newTables(create Create, f format) (*Writer, error) {
	w := &Writer{}
	var faults []error
	for _, t := range list() {
		faults = append(faults, w.start(t, create, f))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, errors.Join(err, w.Abandon())
	}
	return w, nil
}

// start opens the file of a table.
func (w *Writer) start(t table, create Create, f format) error {
	file, err := create("tables/" + t.name + f.extension)
	if err != nil {
		return fmt.Errorf("report: table %s: %w", t.name, err)
	}
	s := &tableFile{table: t, file: file}
	if f.extension == ".csv" {
		s.out, err = newCSVWriter(file, t.fields)
	} else {
		s.out = newParquetWriter(file, t.record, t.fields, f.tool)
	}
	w.files = append(w.files, s)
	return err
}

// Add writes the rows of the next experiment.
func (w *Writer) Add(x *schemas.Experiment) error {
	for _, s := range w.files {
		if s.each == nil {
			continue
		}
		if err := s.write(s.each(x)); err != nil {
			return err
		}
	}
	return nil
}

// AddClaims writes the rows of the next claims.
func (w *Writer) AddClaims(claims []schemas.Finding) error {
	for i := range claims {
		w.claims.Add(&claims[i])
	}
	for _, s := range w.files {
		if s.claims == nil {
			continue
		}
		if err := s.write(s.claims(claims)); err != nil {
			return err
		}
	}
	return nil
}

// Finish writes what is about the whole run, with the claims of head behind those that were
// added, and closes the files, also after an error. Of head the experiments are not looked
// at.
func (w *Writer) Finish(head *schemas.Results) error {
	faults := []error{w.AddClaims(head.Claims)}
	for _, s := range w.files {
		faults = append(faults, s.finish(head, &w.claims))
	}
	return errors.Join(append(faults, w.Abandon())...)
}

// Abandon closes the files as they are; after Finish it does nothing.
func (w *Writer) Abandon() error {
	var faults []error
	for _, s := range w.files {
		faults = append(faults, s.file.Close())
	}
	w.files = nil
	return errors.Join(faults...)
}

// rowWriter writes rows in one format, and keeps none.
type rowWriter interface {
	Write(rows []parquet.Row) error
	Flush() error
	Close() error
}

// rowGroup is the number of rows after which what is written leaves memory.
const rowGroup = 1 << 15

// rowsAtOnce is how many rows of an experiment are made before they are written.
const rowsAtOnce = 256

// tableFile is the file of a table.
type tableFile struct {
	table
	file    io.Closer
	out     rowWriter
	pending int
	part    []parquet.Row // rows that are not handed over; behind them what rows were made of
}

func (s *tableFile) write(rows iter.Seq[reflect.Value]) error {
	hand := func() error {
		err := s.out.Write(s.part)
		if s.pending += len(s.part); err == nil && s.pending >= rowGroup {
			s.pending = 0
			err = s.out.Flush()
		}
		s.part = s.part[:0]
		return err
	}
	var err error
	for row := range rows {
		if s.add(row); len(s.part) == rowsAtOnce {
			if err = hand(); err != nil {
				break
			}
		}
	}
	if err == nil && len(s.part) > 0 {
		err = hand()
	}
	if err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}

// add makes a row.
func (s *tableFile) add(row reflect.Value) {
	n := len(s.part)
	s.part = slices.Grow(s.part, 1)[:n+1]
	out := s.part[n][:0]
	for i := range s.fields {
		out = s.fields[i].values(out, row, i)
	}
	s.part[n] = out
}

// finish writes the rows of the whole run and ends the table.
func (s *tableFile) finish(head *schemas.Results, claims *schemas.ClaimSums) error {
	if s.whole != nil {
		if err := s.write(s.whole(head, claims)); err != nil {
			return err
		}
	}
	if err := s.out.Close(); err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}
