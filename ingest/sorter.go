package ingest

import (
	"bytes"
	"encoding/binary"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/extsort"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// sorter puts the rows of a log that is not in order into their final order, in
// bounded memory; rows of equal order stay as they came.
type sorter struct {
	log   *logFiles
	keys  *keys
	key   *rowKey
	rank  []int32
	codec rowCodec
	rows  *extsort.Sorter
	bad   []bool // by row of the block
	buf   []byte // of one record
}

// newSorter returns a sorter for what the first pass found.
func newSorter(l *logFiles, k *keys, rank []int32, c extsort.Config) *sorter {
	return &sorter{log: l, keys: k, key: newRowKey(k, len(rank)), rank: rank, rows: extsort.New(c)}
}

// rowBytes is the size of a row's number in a record.
const rowBytes = 8

// add takes a block. Rows that have no place in the order are left out: the
// first pass reported them.
func (s *sorter) add(r *rows, c *converted) error {
	s.bad = cell.Resize(s.bad, r.n)
	clear(s.bad)
	s.keys.load(r, &fault.List{}, func(i int) { s.bad[i] = true })
	s.codec.learn(c)
	if err := s.codec.fits(c); err != nil {
		return err
	}
	for i := range r.n {
		if s.bad[i] || c.Experiment[i] < 0 {
			continue
		}
		s.buf = s.key.append(s.buf[:0], s.rank[c.Experiment[i]], i)
		key := len(s.buf)
		s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(r.first)+uint64(i)) //nolint:gosec // neither is negative
		s.buf = s.codec.append(s.buf, c, i)
		if err := s.rows.Add(s.buf[:key], s.buf[key:]); err != nil {
			return spillError(s.log, "sorting the rows", err)
		}
	}
	return nil
}

// inspector sees all rows in their final order.
type inspector struct {
	ties *tieRule
	gaps []int64 // by index of the experiment; nil where they are not counted
	step uint64  // from a whole number to the next
}

// emit hands all rows on in order, in blocks of size rows whose experiments are indexes, with
// the rows' numbers in the log. Ties and gaps are told to see.
func (s *sorter) emit(size int, see inspector, to func(c *converted, at []int64) error) error {
	it, err := s.rows.Sort()
	if err != nil {
		return spillError(s.log, "sorting the rows", err)
	}
	var (
		block converted
		at    = make([]int64, size)
		w     = walker{sorter: s, see: see}
		n     = 0
	)
	s.codec.resize(&block, size)
	for it.Next() {
		if at[n], err = w.row(it.Key(), it.Payload(), &block, n); err != nil {
			return err
		}
		if n++; n == size {
			if err := to(&block, at); err != nil {
				return err
			}
			n = 0
		}
	}
	if err := it.Err(); err != nil {
		return spillError(s.log, "sorting the rows", err)
	}
	if n > 0 {
		s.codec.cut(&block, n)
		if err := to(&block, at[:n]); err != nil {
			return err
		}
	}
	return nil
}

// close frees the sorter's memory and its file.
func (s *sorter) close() { s.rows.Close() }

// walker compares every row with the one before it.
type walker struct {
	sorter *sorter
	see    inspector
	key    []byte // of the row before
	row0   int64  // its number in the log
	any    bool
}

// row reads one sorted record to row i of a block, and returns its number in
// the log.
func (w *walker) row(key, payload []byte, block *converted, i int) (int64, error) {
	s := w.sorter
	index, err := s.key.index(key)
	if err != nil {
		return 0, err
	}
	at := int64(binary.LittleEndian.Uint64(payload)) //nolint:gosec // the bits
	if w.any && bytes.Equal(key[:s.key.width], w.key[:s.key.width]) {
		if err := w.neighbours(key, at, index); err != nil {
			return 0, err
		}
	}
	w.key, w.row0, w.any = append(w.key[:0], key...), at, true
	block.Experiment[i] = index
	return at, s.codec.read(payload[rowBytes:], block, i)
}

// neighbours sees two rows of one experiment that follow each other.
func (w *walker) neighbours(key []byte, at int64, index int32) error {
	s := w.sorter
	if bytes.Equal(key, w.key) {
		w.see.ties.add(w.row0, at)
	}
	if w.see.gaps == nil {
		return nil
	}
	was, err := s.key.number(w.key)
	if err != nil {
		return err
	}
	is, err := s.key.number(key)
	if is != was+w.see.step {
		w.see.gaps[index]++
	}
	return err
}

// mendSort says how to sort the log before it is audited.
func mendSort(l *logFiles) string {
	var by []string
	for _, w := range l.wants {
		if w.Role == role.Experiment || w.Role == role.Order {
			by = append(by, w.Name)
		}
	}
	return schemas.Printable("export it in order: ORDER BY " + strings.Join(by, ", "))
}

// placeOf names a row by its number over all files.
func (l *logFiles) placeOf(row int64) fault.Place {
	for i := range l.inputs {
		in := &l.inputs[i]
		if row >= in.rows {
			row -= in.rows
			continue
		}
		at := fault.Place{File: in.URI, Row: row}
		for _, n := range in.groups {
			if row < n {
				break
			}
			row -= n
			at.RowGroup++
		}
		return at
	}
	return fault.Place{}
}
