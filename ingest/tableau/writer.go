package tableau

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// ErrClosed is returned by Append and Close on a Writer that was closed or
// discarded.
var ErrClosed = errors.New("tableau: the writer is closed")

// Batch is a block of rows to append, as columns of equal length. Propensity
// must be there exactly when the schema says so, and X must have ContextDim
// columns. Append copies, so the caller may use the slices again.
type Batch struct {
	Experiment []int32
	Round      []int64
	Arm        []int32
	Reward     []float64
	Propensity []float64
	X          [][]float64
}

// Writer writes a tableau file. Equal rows give equal bytes, however they were
// divided into batches. It is not safe for concurrent use.
type Writer struct {
	schema  Schema
	file    *os.File
	sink    *digestSink
	ipc     *ipc.FileWriter
	arrow   *arrow.Schema
	pending Batch
	rows    int64
	failed  error
}

// NewWriter creates the file at path, which must not exist, and returns a
// Writer for the columns of s.
func NewWriter(path string, s Schema) (*Writer, error) {
	if err := s.validateColumns(); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("tableau: %w", err)
	}
	w := &Writer{schema: s, file: file, sink: &digestSink{w: file, hash: sha256.New()}, arrow: arrowSchema(&s)}
	w.ipc, err = ipc.NewFileWriter(w.sink, ipc.WithSchema(w.arrow))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("tableau: %w", err), w.Discard())
	}
	w.pending.X = make([][]float64, s.ContextDim)
	return w, nil
}

// arrow is the Arrow type of a column.
func (k kind) arrow() arrow.DataType {
	switch k {
	case kindInt32:
		return arrow.PrimitiveTypes.Int32
	case kindInt64:
		return arrow.PrimitiveTypes.Int64
	default:
		return arrow.PrimitiveTypes.Float64
	}
}

func arrowSchema(s *Schema) *arrow.Schema {
	var fields []arrow.Field
	for _, f := range s.fields() {
		fields = append(fields, arrow.Field{Name: f.name, Type: f.kind.arrow()})
	}
	return arrow.NewSchema(fields, nil)
}

// Append adds the rows of b. After an error every further call returns it.
func (w *Writer) Append(b *Batch) error {
	if w.failed != nil {
		return w.failed
	}
	n := len(b.Experiment)
	if err := w.checkShape(b, n); err != nil {
		w.failed = err
		return err
	}
	for from := 0; from < n; {
		to := min(n, from+BatchRows-len(w.pending.Experiment))
		w.take(b, from, to)
		from = to
		if len(w.pending.Experiment) == BatchRows {
			if err := w.flush(); err != nil {
				w.failed = err
				return err
			}
		}
	}
	w.rows += int64(n)
	return nil
}

func (w *Writer) checkShape(b *Batch, n int) error {
	wantP := 0
	if w.schema.Propensity {
		wantP = n
	}
	if len(b.Round) != n || len(b.Arm) != n || len(b.Reward) != n || len(b.Propensity) != wantP || len(b.X) != w.schema.ContextDim {
		return fmt.Errorf("tableau: a batch of %d rows does not have the columns of the schema, all of that length", n)
	}
	for j, x := range b.X {
		if len(x) != n {
			return fmt.Errorf("tableau: column x%d has %d values in a batch of %d rows", j, len(x), n)
		}
	}
	return nil
}

// take copies rows [from, to) of b to the pending record batch.
func (w *Writer) take(b *Batch, from, to int) {
	p := &w.pending
	p.Experiment = append(p.Experiment, b.Experiment[from:to]...)
	p.Round = append(p.Round, b.Round[from:to]...)
	p.Arm = append(p.Arm, b.Arm[from:to]...)
	p.Reward = append(p.Reward, b.Reward[from:to]...)
	if w.schema.Propensity {
		p.Propensity = append(p.Propensity, b.Propensity[from:to]...)
	}
	for j := range p.X {
		p.X[j] = append(p.X[j], b.X[j][from:to]...)
	}
}

// flush writes the pending rows as one record batch, without copying them.
func (w *Writer) flush() error {
	p := &w.pending
	n := len(p.Experiment)
	if n == 0 {
		return nil
	}
	buffers := [][]byte{
		arrow.Int32Traits.CastToBytes(p.Experiment), arrow.Int64Traits.CastToBytes(p.Round),
		arrow.Int32Traits.CastToBytes(p.Arm), arrow.Float64Traits.CastToBytes(p.Reward),
	}
	if w.schema.Propensity {
		buffers = append(buffers, arrow.Float64Traits.CastToBytes(p.Propensity))
	}
	for _, x := range p.X {
		buffers = append(buffers, arrow.Float64Traits.CastToBytes(x))
	}
	columns := make([]arrow.Array, len(buffers))
	for i, b := range buffers {
		data := array.NewData(w.arrow.Field(i).Type, n, []*memory.Buffer{nil, memory.NewBufferBytes(b)}, nil, 0, 0)
		columns[i] = array.MakeFromData(data)
	}
	record := array.NewRecord(w.arrow, columns, int64(n))
	if err := w.ipc.Write(record); err != nil {
		return fmt.Errorf("tableau: writing %s: %w", w.file.Name(), err)
	}
	p.Experiment, p.Round, p.Arm, p.Reward, p.Propensity = p.Experiment[:0], p.Round[:0], p.Arm[:0], p.Reward[:0], p.Propensity[:0]
	for j := range p.X {
		p.X[j] = p.X[j][:0]
	}
	return nil
}

// Close writes what is pending and the footer, closes the file, and returns its
// SHA-256 in lower-case hex. It does not sync: who renames the file to its final
// name does. Special cases are:
//
//	a tableau without rows is an error
//	after an error of Append the file is removed and that error returned
func (w *Writer) Close() (string, error) {
	if w.failed == nil && w.rows == 0 {
		w.failed = errors.New("tableau: no rows were written; an empty tableau cannot be audited")
	}
	if w.failed == nil {
		w.failed = w.finish()
	}
	if w.failed != nil {
		err := w.failed
		if errors.Is(err, ErrClosed) {
			return "", err
		}
		return "", errors.Join(err, w.Discard())
	}
	w.failed = ErrClosed
	return hex.EncodeToString(w.sink.hash.Sum(nil)), nil
}

func (w *Writer) finish() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.ipc.Close(); err != nil {
		return fmt.Errorf("tableau: writing %s: %w", w.file.Name(), err)
	}
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("tableau: %w", err)
	}
	return nil
}

// Discard closes the file and removes it. After Close it does nothing.
func (w *Writer) Discard() error {
	if errors.Is(w.failed, ErrClosed) {
		return nil
	}
	w.failed = ErrClosed
	_ = w.file.Close() // The file is removed next; what it would have said does not matter.
	if err := os.Remove(w.file.Name()); err != nil {
		return fmt.Errorf("tableau: %w", err)
	}
	return nil
}

// digestSink counts and hashes what passes. The Arrow writer asks for its
// position by seeking, and never moves.
type digestSink struct {
	w    io.Writer
	hash hash.Hash
	pos  int64
}

// Write passes b on.
func (s *digestSink) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.pos += int64(n)
	s.hash.Write(b[:n])
	return n, err
}

// Seek reports the position.
func (s *digestSink) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("tableau: a tableau is written from front to back")
	}
	return s.pos, nil
}
