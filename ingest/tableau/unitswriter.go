package tableau

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// unitFields lists the columns of units.arrow.
func unitFields() []field {
	return []field{{Unit, kindInt64, 0}, {"row", kindInt64, 0}}
}

// Positions of the columns of units.arrow.
const (
	colOwner = iota
	colOwnRow
)

// UnitsWriter writes units.arrow, the order of a tableau's rows by unit: an
// uncompressed Arrow IPC file of the columns `unit` int64 and `row` int64, which
// is the row in rounds.arrow, from 0. Its rows are in order of experiment, then
// unit, then row; its record batches have BatchRows rows. It is not safe for
// concurrent use, and must be closed or discarded.
type UnitsWriter struct {
	rows rowWriter
}

// UnitsWriterBytes bounds the memory that a UnitsWriter takes for rows that it
// has been given and has not yet written.
const UnitsWriterBytes = writerFrames * 16 * BatchRows

// NewUnitsWriter creates the file at path, which must not exist.
func NewUnitsWriter(path string) (*UnitsWriter, error) {
	w := new(UnitsWriter)
	if err := w.rows.open(path, unitFields(), BatchRows); err != nil {
		return nil, err
	}
	return w, nil
}

// Append adds rows: two columns of equal length, which it copies. After an
// error every further call returns it.
func (w *UnitsWriter) Append(unit, row []int64) error {
	if w.rows.failed != nil {
		return w.rows.failed
	}
	if len(unit) != len(row) {
		w.rows.failed = fmt.Errorf("tableau: %d units for %d rows", len(unit), len(row))
		return w.rows.failed
	}
	g := []given{{Unit, len(unit), arrow.Int64Traits.CastToBytes(unit)}, {"row", len(row), arrow.Int64Traits.CastToBytes(row)}}
	return w.rows.append(g, int64(len(row)), func(*frame, int64) {})
}

// Close writes what is pending and the footer, closes the file, and returns its
// SHA-256 in lower-case hex. Special cases are the same as in Writer.Close.
func (w *UnitsWriter) Close() (string, error) { return w.rows.close() }

// Discard closes the file and removes it. After Close it does nothing.
func (w *UnitsWriter) Discard() error { return w.rows.discard() }
