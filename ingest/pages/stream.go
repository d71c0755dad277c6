package pages

import (
	"encoding/binary"
	"unsafe"
)

// stream hands out the bytes of a page's values in order. They lie in one
// slice, or in pieces of one.
type stream struct {
	cur  []byte  // to be handed out next
	src  []byte  // where the rest is
	rest []piece // of src, in order
}

// piece is a part of a slice, of at least one byte.
type piece struct{ from, to uint32 }

// read fills dst with the next bytes, and reports whether there were enough.
func (s *stream) read(dst []byte) bool {
	for {
		n := copy(dst, s.cur)
		s.cur, dst = s.cur[n:], dst[n:]
		if len(dst) == 0 {
			return true
		}
		if !s.next() {
			return false
		}
	}
}

// next moves to the next piece; cur is used up.
func (s *stream) next() bool {
	if len(s.rest) == 0 {
		return false
	}
	s.cur = s.src[s.rest[0].from:s.rest[0].to]
	s.rest = s.rest[1:]
	return true
}

// left returns the number of bytes that are left.
func (s *stream) left() uint64 {
	n := uint64(len(s.cur))
	for _, p := range s.rest {
		n += uint64(p.to - p.from)
	}
	return n
}

// view returns the next n bytes where they are, or false where they do not lie
// in one piece or not on a multiple of eight.
func (s *stream) view(n int) ([]byte, bool) {
	if len(s.cur) == 0 && !s.next() || len(s.cur) < n || !aligned(s.cur) {
		return nil, false
	}
	v := s.cur[:n:n]
	s.cur = s.cur[n:]
	return v, true
}

// some returns up to n values of width bytes that lie in one piece, or, where
// one value does not, that value copied to word. It returns nothing at the end.
func (s *stream) some(n, width int, word *[8]byte) []byte {
	if len(s.cur) == 0 && !s.next() {
		return nil
	}
	if k := min(n, len(s.cur)/width); k > 0 {
		v := s.cur[:k*width]
		s.cur = s.cur[k*width:]
		return v
	}
	if !s.read(word[:width]) {
		return nil
	}
	return word[:width]
}

// littleEndian reports whether numbers in memory look as they do in Parquet.
func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// aligned reports whether a slice that is not empty begins at a multiple of
// eight.
func aligned(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 == 0 //nolint:gosec // the address, never followed
}

// bytesOf is the memory of numbers of eight bytes.
func bytesOf[T int64 | float64](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s)) //nolint:gosec // the same memory, by bytes
}

// numbersOf is aligned memory as numbers of eight bytes.
func numbersOf[T int64 | float64](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8) //nolint:gosec // aligned, and within b
}
