package extsort

import (
	"encoding/binary"
	"errors"
	"io"
)

// reader reads the records of one run.
type reader struct {
	file    io.ReaderAt
	dir     string
	rest    span
	sum     uint32 // of what was read
	account *account
	buffer  []byte
	booked  int64
	from    int // the unread part of buffer
	to      int
	need    int // bytes of the record that did not fit, or 0

	record []byte // the current one, with its lengths
	key    []byte
	prefix uint64
	run    int // its place among the runs, which decides between equal keys
}

// errCut says that a run is not what was written.
var errCut = errors.New("the temporary file is damaged")

// next moves to the next record; io.EOF after the last.
func (r *reader) next() error {
	for {
		if size := r.parse(); size > 0 {
			r.from += size
			return nil
		} else if size < 0 {
			return &DiskError{r.dir, errCut}
		}
		if r.rest.from == r.rest.to {
			if r.from < r.to || r.sum != r.rest.sum {
				return &DiskError{r.dir, errCut}
			}
			return io.EOF
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// parse returns the size of the record at the beginning of the unread part; 0
// when it is not whole, and -1 when there is none.
func (r *reader) parse() int {
	b := r.buffer[r.from:r.to]
	k, n := binary.Uvarint(b)
	if n <= 0 {
		return n
	}
	p, m := binary.Uvarint(b[n:])
	if m <= 0 {
		return m
	}
	left := uint64(r.rest.to-r.rest.from) + uint64(len(b)-n-m) //nolint:gosec // neither is negative
	switch {
	case k > left || p > left-k:
		return -1
	case k+p > uint64(len(b)-n-m): //nolint:gosec // not negative
		r.need = n + m + int(k+p) //nolint:gosec // at most the size of the file
		return 0
	}
	size := n + m + int(k+p) //nolint:gosec // at most len(b)
	r.record, r.key = b[:size], b[n+m:][:k]
	r.prefix = prefix(r.key)
	return size
}

// fill moves the unread part to the front and reads on behind it.
func (r *reader) fill() error {
	if grown := max(r.need, leastRead); grown > len(r.buffer) {
		if err := r.account.take(int64(grown - len(r.buffer))); err != nil {
			return err
		}
		r.booked += int64(grown - len(r.buffer))
		buffer := make([]byte, grown)
		copy(buffer, r.buffer[r.from:r.to])
		r.buffer = buffer
	} else {
		copy(r.buffer, r.buffer[r.from:r.to])
	}
	r.to -= r.from
	r.from = 0
	n := int(min(int64(len(r.buffer)-r.to), r.rest.to-r.rest.from))
	if _, err := r.file.ReadAt(r.buffer[r.to:r.to+n], r.rest.from); err != nil {
		return &DiskError{r.dir, err}
	}
	r.sum = castagnoli(r.sum, r.buffer[r.to:r.to+n])
	r.to += n
	r.rest.from += int64(n)
	return nil
}

func (r *reader) free() {
	r.account.give(r.booked)
	r.booked, r.buffer, r.from, r.to = 0, nil, 0, 0
}
