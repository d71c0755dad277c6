package pages

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Mapped is what an io.ReaderAt given to Open may be besides: one that has the
// whole file in memory that nobody here has to pay for. Pages are then read
// where they lie. Guard runs a function that reads the bytes, and turns a
// memory fault in them into an error (see package ingest/mmap).
type Mapped interface {
	Bytes() []byte
	Guard(read func() error) error
}

// readBytes are read of a column chunk at once; larger pages bypass the
// buffer, and no page header may be larger.
const readBytes = 64 << 10

// input hands out the bytes of a column chunk from front to back.
type input struct {
	mapped Mapped // nil where the file is read
	bytes  []byte // mapped bytes not handed out yet
	src    *bufio.Reader
	raw    buffer
	head   []byte // copy of what was peeked at
}

// newInput books what the input takes besides pages.
func (f *File) newInput(from *io.SectionReader) (*input, error) {
	in := &input{raw: buffer{budget: f.budget}}
	if f.mapped != nil {
		_, start, size := from.Outer()
		in.mapped, in.bytes = f.mapped, f.mapped.Bytes()[start:start+size]
		return in, nil
	}
	if err := f.budget.Take(readBytes); err != nil {
		return nil, err
	}
	in.src = bufio.NewReaderSize(from, readBytes)
	return in, nil
}

// guard runs read, which reads the input.
func (in *input) guard(read func() error) error {
	if in.mapped == nil {
		return read()
	}
	return in.mapped.Guard(read)
}

// peek returns the next n bytes without moving, or io.EOF and the bytes that are left. The
// bytes stay what they are, though the file may change.
func (in *input) peek(n int) ([]byte, error) {
	if in.mapped == nil {
		return in.src.Peek(n)
	}
	var err error
	if n > len(in.bytes) {
		n, err = len(in.bytes), io.EOF
	}
	in.head = append(in.head[:0], in.bytes[:n]...)
	return in.head, err
}

// discard moves over n bytes that peek returned.
func (in *input) discard(n int) error {
	if in.mapped == nil {
		_, err := in.src.Discard(n)
		return err
	}
	in.bytes = in.bytes[n:]
	return nil
}

// take returns the next n bytes; they are valid until the next call.
func (in *input) take(n int) ([]byte, error) {
	if in.mapped != nil {
		if n > len(in.bytes) {
			return nil, fmt.Errorf("a page of %d bytes where %d are left: %w", n, len(in.bytes), io.ErrUnexpectedEOF)
		}
		page := in.bytes[:n:n]
		in.bytes = in.bytes[n:]
		return page, nil
	}
	raw, err := in.raw.grow(n)
	if err == nil {
		_, err = io.ReadFull(in.src, raw)
	}
	if errors.Is(err, io.EOF) { // which says elsewhere that all rows were read
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("a page of %d bytes: %w", n, err)
	}
	return raw, nil
}

// lasting reports whether bytes that take returned stay valid when it is called
// again.
func (in *input) lasting() bool { return in.mapped != nil }

// close returns what was booked.
func (in *input) close(budget *Budget) {
	in.raw.free()
	if in.mapped == nil {
		budget.Give(readBytes)
	}
}

// isEnd reports whether an error of peek says only that there is no more.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull)
}
