package ingest

import (
	"context"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/extsort"
	"banditaudit/ingest/role"
)

// byRow is a column of whole numbers that the first pass finds in another order
// than the log's. It brings them back to that order, in bounded memory.
type byRow struct {
	log    *logFiles
	sorter *extsort.Sorter
	it     *extsort.Iterator
	width  int // bytes of a row's number
	buf    []byte
	row    int64 // of the value that is next
	value  uint64
	more   bool
}

func (r *intake) newByRow(ctx context.Context) *byRow {
	return &byRow{log: r.log, sorter: extsort.New(r.spillConfig(ctx, shareByRow)), width: r.log.rowWidth()}
}

// position returns the place among the wants of the first column with a role, or −1.
func (l *logFiles) position(of role.Role) int {
	return slices.IndexFunc(l.wants, func(w role.Want) bool { return w.Role == of })
}

// rowWidth is the number of bytes of a row's number in a key.
func (l *logFiles) rowWidth() int { return extsort.Width(uint64(l.rows)) } //nolint:gosec // a count

// add gives a row of the log its value, ≥ 0; each row is given one at most.
func (b *byRow) add(row, value int64) error {
	b.buf = extsort.AppendUint(b.buf[:0], uint64(row), b.width) //nolint:gosec // not negative
	key := len(b.buf)
	b.buf = extsort.AppendUint(b.buf, uint64(value), rowBytes) //nolint:gosec // not negative
	if err := b.sorter.Add(b.buf[:key], b.buf[key:]); err != nil {
		return spillError(b.log, "numbering the rows", err)
	}
	return nil
}

// sort ends the adding.
func (b *byRow) sort() (err error) {
	if b.it, err = b.sorter.Sort(); err != nil {
		return spillError(b.log, "numbering the rows", err)
	}
	return b.next()
}

func (b *byRow) next() error {
	if b.more = b.it.Next(); !b.more {
		if err := b.it.Err(); err != nil {
			return spillError(b.log, "numbering the rows", err)
		}
		return nil
	}
	row, _, err := extsort.Uint(b.it.Key(), b.width)
	if err != nil {
		return err
	}
	b.row = int64(row) //nolint:gosec // what add wrote
	b.value, _, err = extsort.Uint(b.it.Payload(), rowBytes)
	return err
}

// fill returns the values of n rows of the log from first on, which must rise
// from call to call. Rows without a value get 0.
func (b *byRow) fill(dst []int64, first int64, n int) ([]int64, error) {
	dst = cell.Resize(dst, n)
	clear(dst)
	if b.it == nil { // a fault of the first pass
		return dst, nil
	}
	for b.more && b.row < first+int64(n) {
		if b.row >= first {
			dst[b.row-first] = int64(b.value) //nolint:gosec // what add wrote
		}
		if err := b.next(); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// close frees the memory and the file. It may be called on nil.
func (b *byRow) close() {
	if b != nil {
		b.sorter.Close()
	}
}
