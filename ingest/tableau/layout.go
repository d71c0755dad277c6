package tableau

import "math/bits"

// BatchRows is the number of rows of a record batch at most, unless rows are so
// wide that Schema.BatchRows says fewer.
const BatchRows = 1 << maxBatchShift

const maxBatchShift = 16

// BatchBytes bounds what the columns of one record batch take, and with it the
// memory of a Writer and of whoever works on one chunk.
const BatchBytes = 16 << 20

// kind is the physical type of a column's values.
type kind uint8

const (
	kindInt32 kind = iota
	kindInt64
	kindFloat64
	kindBool
)

func (k kind) String() string { return [...]string{"int32", "int64", "float64", "bool"}[k] }

// bits is the width of one value.
func (k kind) bits() int64 { return [...]int64{32, 64, 64, 1}[k] }

// field is one column of a file.
type field struct {
	name string
	kind kind
	list int64 // values per row of a fixed-size list; 0 for a flat column
}

// perRow is the number of values of one row.
func (f *field) perRow() int64 { return max(1, f.list) }

// size returns the number of bytes that the values of the given number of rows take.
func (f *field) size(rows int64) int64 { return (rows*f.perRow()*f.kind.bits() + 7) / 8 }

// layout says where the columns of a schema lie: by number their position in the
// file, the position of the first of several, or -1 where they are absent; and how many
// fields they are.
type layout struct {
	fields []field
	shift  uint // log₂ of BatchRows
	at, n  [allColumns]int
	said   []int // positions of the fields that say what a round was, and not where it stands
}

func (s *Schema) layout() *layout {
	l := &layout{}
	for i, c := range columns() {
		l.at[i] = -1
		if fields := c.fields(s); len(fields) > 0 {
			l.at[i], l.n[i] = len(l.fields), len(fields)
			l.fields = append(l.fields, fields...)
		}
		for at := len(l.fields) - l.n[i]; at < len(l.fields) && !c.place; at++ {
			l.said = append(l.said, at)
		}
	}
	l.shift = batchShift(l.rowBits())
	return l
}

// rowBits is the width of one row.
func (l *layout) rowBits() int64 {
	n := int64(0)
	for i := range l.fields {
		n += l.fields[i].rowBits()
	}
	return n
}

// batchRows is the number of rows of a record batch at most.
func (l *layout) batchRows() int64 { return 1 << l.shift }

// batchShift returns log₂ of the number of rows of a record batch.
func batchShift(rowBits int64) uint {
	fit := max(1, BatchBytes*8/rowBits)
	return uint(min(maxBatchShift, bits.Len64(uint64(fit))-1))
}

// RowBytes is the size of one row in the file, rounded up: 24 bytes, 8 for
// every number that the schema adds, and one bit for every arm that is eligible
// or not.
func (s *Schema) RowBytes() int64 { return (s.layout().rowBits() + 7) / 8 }

// BatchRows returns the number of rows of a record batch at most,
//
//	min(2¹⁶, 2^⌊log₂(2²⁴ / RowBytes)⌋)
//
// a power of two, so that a row's chunk is a shift, which the schema alone
// decides: it never depends on how a tableau is written or read. Up to 256
// bytes per row it is 65,536; a valid schema has it at least 1.
func (s *Schema) BatchRows() int { return int(s.layout().batchRows()) }

// WriterBytes bounds the memory that a Writer of the schema takes for rows that
// it has been given and has not yet written.
func (s *Schema) WriterBytes() int64 {
	l := s.layout()
	n := int64(0)
	for i := range l.fields {
		n += (l.fields[i].size(l.batchRows()) + 7) / 8 * 8
	}
	return writerFrames * n
}
