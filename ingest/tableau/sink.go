package tableau

import (
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// sink is an Arrow IPC file that is being written and hashed.
type sink struct {
	file   *os.File
	bytes  *digestSink
	ipc    *ipc.FileWriter
	schema *arrow.Schema
	fields []field
}

// newSink creates the file at path, which must not exist.
func newSink(path string, fields []field) (*sink, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("tableau: %w", err)
	}
	s := &sink{file: file, bytes: newDigestSink(file), schema: arrowSchema(fields), fields: fields}
	s.ipc, err = ipc.NewFileWriter(s.bytes, ipc.WithSchema(s.schema))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("tableau: %w", err), s.discard())
	}
	return s, nil
}

// arrow is the Arrow type of a column's values.
func (k kind) arrow() arrow.DataType {
	switch k {
	case kindInt32:
		return arrow.PrimitiveTypes.Int32
	case kindInt64:
		return arrow.PrimitiveTypes.Int64
	case kindBool:
		return arrow.FixedWidthTypes.Boolean
	default:
		return arrow.PrimitiveTypes.Float64
	}
}

func arrowSchema(fields []field) *arrow.Schema {
	columns := make([]arrow.Field, len(fields))
	for i, f := range fields {
		columns[i] = arrow.Field{Name: f.name, Type: f.kind.arrow()}
		if f.list > 0 {
			columns[i].Type = arrow.FixedSizeListOfNonNullable(int32(f.list), f.kind.arrow()) //nolint:gosec // at most maxListLength
		}
	}
	return arrow.NewSchema(columns, nil)
}

// write writes a frame as one record batch, without copying its columns.
func (s *sink) write(f *frame) error {
	columns := make([]arrow.Array, len(s.fields))
	for i := range s.fields {
		field := &s.fields[i]
		values := memory.NewBufferBytes(f.columns[i][:field.size(f.rows)])
		data := array.NewData(field.kind.arrow(), int(f.rows*field.perRow()), []*memory.Buffer{nil, values}, nil, 0, 0)
		if field.list > 0 {
			data = array.NewData(s.schema.Field(i).Type, int(f.rows), []*memory.Buffer{nil}, []arrow.ArrayData{data}, 0, 0)
		}
		columns[i] = array.MakeFromData(data)
	}
	if err := s.ipc.Write(array.NewRecord(s.schema, columns, f.rows)); err != nil {
		return fmt.Errorf("tableau: writing %s: %w", s.file.Name(), err)
	}
	return nil
}

// finish writes the footer, closes the file and returns its SHA-256 in
// lower-case hex.
func (s *sink) finish() (string, error) {
	if err := s.ipc.Close(); err != nil {
		return "", fmt.Errorf("tableau: writing %s: %w", s.file.Name(), err)
	}
	if err := s.file.Close(); err != nil {
		return "", fmt.Errorf("tableau: %w", err)
	}
	return s.bytes.close(), nil
}

// discard closes the file and removes it.
func (s *sink) discard() error {
	s.bytes.close()
	_ = s.file.Close() // The file is removed next; what it would have said does not matter.
	if err := os.Remove(s.file.Name()); err != nil {
		return fmt.Errorf("tableau: %w", err)
	}
	return nil
}
