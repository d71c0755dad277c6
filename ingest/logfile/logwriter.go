package logfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/fault"
)

// Writer writes a log as part-00000.parquet, part-00001.parquet, … Equal
// rows and specs give equal bytes. It is not safe for concurrent use.
type Writer struct {
	dir     string
	spec    Layout
	schema  *parquet.Schema
	columns []logColumn

	file    *os.File
	parquet *parquet.GenericWriter[any]
	parts   int
	inFile  int64 // rows
	inGroup int64 // rows
	rows    []parquet.Row
	failed  error
}

// rowBuffer is the number of rows handed to the Parquet writer at once.
const rowBuffer = 256

var errLogClosed = errors.New("ingest: the log writer is closed")

// NewWriter returns a writer of a log in the directory dir, which must
// exist and hold no part of a log.
func NewWriter(dir string, s Layout) (*Writer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	columns := s.columns()
	w := &Writer{dir: dir, spec: s, columns: columns, schema: logSchema(columns)}
	if err := w.open(); err != nil {
		return nil, err
	}
	return w, nil
}

// logSchema builds the columns from a struct type, because the fields of a
// parquet.Group come in alphabetical order.
func logSchema(columns []logColumn) *parquet.Schema {
	var fields []reflect.StructField
	for i, c := range columns {
		fields = append(fields, reflect.StructField{
			Name: "F" + strconv.Itoa(i), Type: c.typ,
			Tag: reflect.StructTag(`parquet:"` + c.name + c.options + `"`),
		})
	}
	return parquet.NewSchema("log", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

func (w *Writer) open() error {
	name := filepath.Join(w.dir, fmt.Sprintf("part-%05d.parquet", w.parts))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a log is meant to be read by others
	if err != nil {
		return fault.NotWritten(err)
	}
	config, err := parquet.NewWriterConfig(w.schema, parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(1))
	if err != nil {
		return errors.Join(fmt.Errorf("ingest: %w", err), file.Close())
	}
	config.CreatedBy = w.spec.CreatedBy
	w.file, w.parquet = file, parquet.NewGenericWriter[any](file, config)
	w.parts, w.inFile, w.inGroup = w.parts+1, 0, 0
	return nil
}

// Append adds one row. After an error every further call returns it.
func (w *Writer) Append(r *Row) error {
	if w.failed == nil {
		w.failed = w.add(r)
	}
	return w.failed
}

func (w *Writer) add(r *Row) error {
	if err := w.spec.check(r); err != nil {
		return err
	}
	if w.inFile == w.spec.rowsPerFile() {
		if err := w.finish(); err != nil {
			return err
		}
		if err := w.open(); err != nil {
			return err
		}
	}
	w.rows = append(w.rows, w.row(r))
	w.inFile++
	w.inGroup++
	if w.inGroup == w.spec.rowsPerGroup() {
		return w.endGroup()
	}
	if len(w.rows) == rowBuffer {
		return w.flush()
	}
	return nil
}

// row lays a round out as Parquet values, reusing the buffer of an earlier row.
func (w *Writer) row(r *Row) parquet.Row {
	var row parquet.Row
	if n := len(w.rows); n < cap(w.rows) {
		row = w.rows[:n+1][n][:0]
	}
	for i := range w.columns {
		row = w.columns[i].put(row, i, r)
	}
	return row
}

func (w *Writer) flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	if _, err := w.parquet.WriteRows(w.rows); err != nil {
		return fault.NotWritten(fmt.Errorf("%s: %w", w.file.Name(), err))
	}
	w.rows = w.rows[:0]
	return nil
}

func (w *Writer) endGroup() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.parquet.Flush(); err != nil {
		return fault.NotWritten(fmt.Errorf("%s: %w", w.file.Name(), err))
	}
	w.inGroup = 0
	return nil
}

// finish ends the current file.
func (w *Writer) finish() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.parquet.Close(); err != nil {
		return fault.NotWritten(fmt.Errorf("%s: %w", w.file.Name(), err))
	}
	if err := w.file.Close(); err != nil {
		return fault.NotWritten(err)
	}
	w.file = nil
	return nil
}

// Close ends the last file. After an error of Append it closes without
// finishing and returns that error; the directory is then the caller's to
// remove.
func (w *Writer) Close() error {
	err := w.failed
	if err == nil {
		err = w.finish()
	}
	if w.file != nil {
		err = errors.Join(err, w.file.Close())
		w.file = nil
	}
	w.failed = errLogClosed
	return err
}
