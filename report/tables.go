package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// Tables writes the tables of the results, one file each, for a warehouse:
// experiments, claims, inputs, family, checks, propensities, noise, noise_scales,
// hypotheses, arms, ledger, regressions, tests, estimates and series. Rows are flat and keep the order of results.json; every
// table but inputs has a column experiment. Numbers are in full precision,
// absent ones are null, infinite ones are ±Inf. Text is as it was in the log,
// not escaped.
//
// Experiments are written as they come, so that a log of thousands is never
// held as a whole. The same results give the same bytes. It is not safe for
// concurrent use. Special cases are:
//
//	a table without rows is written with its schema
//	a list is joined by ", "
type Tables struct{ files []tableSheet }

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

// newTables starts every table, in the order in which they are written.
func newTables(create Create, f format) (*Tables, error) {
	t := &Tables{}
	err := errors.Join(
		add(t, create, f, "experiments", experimentRows, nil),
		add(t, create, f, "claims", nil, claimRows),
		add(t, create, f, "inputs", nil, inputRows),
		add(t, create, f, "family", nil, familyRows),
		add(t, create, f, "checks", checkRows, nil),
		add(t, create, f, "propensities", propensityRows, nil),
		add(t, create, f, "noise", noiseRows, nil),
		add(t, create, f, "noise_scales", noiseScaleRows, nil),
		add(t, create, f, "hypotheses", hypothesisRows, nil),
		add(t, create, f, "arms", armRows, nil),
		add(t, create, f, "ledger", ledgerRows, nil),
		add(t, create, f, "regressions", coefficientRows, nil),
		add(t, create, f, "tests", testRows, nil),
		add(t, create, f, "estimates", estimateRows, nil),
		add(t, create, f, "series", seriesRows, nil),
	)
	if err != nil {
		return nil, errors.Join(err, t.Abandon())
	}
	return t, nil
}

// Add writes the rows of the next experiment.
func (t *Tables) Add(x *schemas.Experiment) error {
	for _, s := range t.files {
		if err := s.add(x); err != nil {
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
		faults = append(faults, s.close())
	}
	t.files = nil
	return errors.Join(faults...)
}

// tableSheet is one table whatever its rows.
type tableSheet interface {
	add(x *schemas.Experiment) error
	finish(head *schemas.Results) error
	close() error
}

// rowWriter writes rows in one format.
type rowWriter[T any] interface {
	Write(rows []T) (int, error)
	Flush() error
	Close() error
}

// rowGroup is the number of rows after which what is written leaves memory.
const rowGroup = 1 << 17

// sheetOf is one table.
type sheetOf[T any] struct {
	name    string
	each    func(*schemas.Experiment) []T // nil: has no rows of experiments
	whole   func(*schemas.Results) []T    // nil: has no rows of the run
	file    io.Closer
	out     rowWriter[T]
	pending int
}

// add starts a table.
func add[T any](t *Tables, create Create, f format, name string, each func(*schemas.Experiment) []T, whole func(*schemas.Results) []T) error {
	file, err := create("tables/" + name + f.extension)
	if err != nil {
		return fmt.Errorf("report: table %s: %w", name, err)
	}
	s := &sheetOf[T]{name: name, each: each, whole: whole, file: file}
	if f.extension == ".csv" {
		s.out, err = newCSVWriter[T](file)
	} else {
		// CreatedBy is set so that it does not depend on how the program was built.
		s.out = parquet.NewGenericWriter[T](file, parquet.CreatedBy(f.tool.Name, f.tool.Version, ""), parquet.Compression(&parquet.Snappy))
	}
	t.files = append(t.files, s)
	return err
}

func (s *sheetOf[T]) add(x *schemas.Experiment) error {
	if s.each == nil {
		return nil
	}
	return s.write(s.each(x))
}

func (s *sheetOf[T]) write(rows []T) error {
	n, err := s.out.Write(rows)
	if s.pending += n; err == nil && s.pending >= rowGroup {
		s.pending = 0
		err = s.out.Flush()
	}
	if err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}

func (s *sheetOf[T]) finish(head *schemas.Results) error {
	if s.whole != nil {
		if err := s.write(s.whole(head)); err != nil {
			return err
		}
	}
	if err := s.out.Close(); err != nil {
		return fmt.Errorf("report: table %s: %w", s.name, err)
	}
	return nil
}

func (s *sheetOf[T]) close() error { return s.file.Close() }

// float turns an extended number into a column value; ±∞ stays itself.
func float(x *schemas.Extended) *float64 {
	if x == nil {
		return nil
	}
	v := float64(*x)
	return &v
}

// end returns one end of an interval.
func end(ci *schemas.Interval, i int) *float64 {
	if ci == nil {
		return nil
	}
	v := ci[i]
	return &v
}

func joined(list []string) string { return strings.Join(list, ", ") }
