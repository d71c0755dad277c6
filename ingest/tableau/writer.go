package tableau

import (
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

// ErrClosed is returned by Append and Close on a writer that was closed or
// discarded.
var ErrClosed = errors.New("tableau: the writer is closed")

// Writer writes a tableau file. Equal rows give equal bytes, however they were
// divided into batches. An experiment that does not fit into the rest of a record
// batch begins a new one. Hashing and writing go on while the caller makes the
// next rows, so an error may show one call later than it happened. A Writer is
// not safe for concurrent use, and must be closed or discarded.
type Writer struct {
	schema Schema
	layout *layout
	rows   rowWriter
	given  []given
}

// NewWriter creates the file at path, which must not exist, and returns a
// Writer for the columns of s.
func NewWriter(path string, s Schema) (*Writer, error) {
	if err := s.validateColumns(); err != nil {
		return nil, err
	}
	w := &Writer{schema: s, layout: s.layout()}
	if err := w.rows.open(path, w.layout.fields, w.layout.batchRows()); err != nil {
		return nil, err
	}
	return w, nil
}

// Append adds the rows of b. After an error every further call returns it.
func (w *Writer) Append(b *Batch) error {
	if w.rows.failed != nil {
		return w.rows.failed
	}
	n := len(b.Experiment)
	w.given = b.columns(w.given[:0], &w.schema)
	if err := checkGiven(w.given, w.layout.fields, n); err != nil {
		w.rows.failed = err
		return err
	}
	w.rows.experiment = b.Experiment
	return w.rows.append(w.given, int64(n), w.normalize)
}

// normalize gives the missing rewards among the last rows of a frame, from row
// from on, the one bit pattern that a tableau has for them, so that equal logs
// give equal bytes.
func (w *Writer) normalize(f *frame, from int64) {
	if !w.schema.MissingReward {
		return
	}
	canonical(arrow.Float64Traits.CastFromBytes(f.columns[colReward])[from:f.rows])
	if c := w.layout.at[colRewardByArm]; c >= 0 {
		k := int64(w.schema.Arms)
		canonical(arrow.Float64Traits.CastFromBytes(f.columns[c])[from*k : f.rows*k])
	}
}

// missingBits is the NaN that stands for a missing reward: quiet, positive, and
// without a payload.
const missingBits = 0x7FF8000000000000

func canonical(v []float64) {
	for i, y := range v {
		if math.IsNaN(y) {
			v[i] = math.Float64frombits(missingBits)
		}
	}
}

// Close writes what is pending and the footer, closes the file, and returns its
// SHA-256 in lower-case hex. It does not sync: who renames the file to its final
// name does. Special cases are:
//
//	a tableau without rows is an error
//	after an error of Append the file is removed and that error returned
func (w *Writer) Close() (string, error) { return w.rows.close() }

// Discard closes the file and removes it. After Close it does nothing.
func (w *Writer) Discard() error { return w.rows.discard() }

// rowWriter cuts rows into record batches and writes them in the background.
type rowWriter struct {
	sink       *sink
	background *background
	limit      int64 // rows of a record batch at most
	pending    *frame
	rows       int64
	failed     error

	experiment []int32 // of the rows that are being appended; nil: all rows are of one
	start      int64   // row of pending with which its last experiment begins
	last       int32   // the last experiment of pending
}

func (w *rowWriter) open(path string, fields []field, limit int64) error {
	s, err := newSink(path, fields)
	if err != nil {
		return err
	}
	w.sink, w.background, w.limit = s, newBackground(s), limit
	w.pending, _ = w.background.next() // Nothing was sent that could have failed.
	return nil
}

// append adds n rows of the given columns, and calls taken with the frame and
// the first row of it after every part that was copied.
func (w *rowWriter) append(g []given, n int64, taken func(f *frame, from int64)) error {
	for from := int64(0); from < n; {
		if w.pending.rows == w.limit {
			if w.failed = w.turn(from); w.failed != nil {
				return w.failed
			}
		}
		f := w.pending
		to := min(n, from+w.limit-f.rows)
		first := f.rows
		f.reserve(w.sink.fields, f.rows+to-from, w.limit)
		f.take(w.sink.fields, g, from, to)
		taken(f, first)
		w.note(from, to, first)
		from = to
	}
	w.rows += n
	return nil
}

// note keeps where the last experiment of the pending frame begins, once rows
// [from, to) are its rows from row first on.
func (w *rowWriter) note(from, to, first int64) {
	if w.experiment == nil {
		return
	}
	last, at := w.experiment[to-1], to-1
	for at > from && w.experiment[at-1] == last {
		at--
	}
	if first == 0 || at > from || last != w.last {
		w.start = first + at - from
	}
	w.last = last
}

// turn sends the pending frame, which is full, and begins the next, where row from
// of those appended will lie. An experiment that goes on there and began within the
// frame is moved to the next as a whole.
func (w *rowWriter) turn(from int64) error {
	f := w.pending
	next, err := w.background.next()
	if err != nil {
		return err
	}
	if w.experiment != nil && w.start > 0 && w.experiment[from] == w.last {
		next.move(w.sink.fields, f, w.start, w.limit)
	}
	w.background.send(f)
	w.pending, w.start = next, 0
	return nil
}

func (w *rowWriter) close() (sha string, err error) {
	if errors.Is(w.failed, ErrClosed) {
		return "", w.failed
	}
	if w.failed == nil && w.rows == 0 {
		w.failed = fmt.Errorf("tableau: no rows were written to %s; an empty tableau cannot be audited", w.sink.file.Name())
	}
	if w.failed == nil && w.pending.rows > 0 {
		w.background.send(w.pending)
	}
	failed := w.failed
	if err := w.background.stop(); failed == nil {
		failed = err
	}
	w.failed = ErrClosed
	if failed == nil {
		sha, failed = w.sink.finish()
	}
	if failed != nil {
		return "", errors.Join(failed, w.sink.discard())
	}
	return sha, nil
}

func (w *rowWriter) discard() error {
	if errors.Is(w.failed, ErrClosed) {
		return nil
	}
	w.failed = ErrClosed
	_ = w.background.stop() // The file is removed next; what it would have said does not matter.
	return w.sink.discard()
}
