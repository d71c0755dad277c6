package pages

import (
	"encoding/binary"
	"math"
	"slices"
)

// Elements of a snappy block (github.com/google/snappy/blob/main/format_description.txt).
const (
	snappyLiteral = iota
	snappyCopy1
	snappyCopy2
	snappyCopy4
)

// pieceBytes is what a piece of a page holds on average, at least; a page in
// smaller pieces is inflated instead.
const pieceBytes = 1 << 10

// maxPieces bounds the pieces of a page, which are not booked.
const maxPieces = 1 << 14

// snappyPieces reports where in src the bytes lie that it inflates to, if it
// can: what does not compress, as most doubles do not, is stored as it is, in
// literals of 64 KiB, and a copy within one literal is a piece of that. Then
// nothing has to be inflated. It returns nil where it cannot, whatever the
// reason; inflating the page then says what is wrong with it. The result uses
// the memory of pieces.
func snappyPieces(src []byte, size int, pieces []piece) []piece {
	claim, at := binary.Uvarint(src)
	if at <= 0 || size <= 0 || claim != uint64(size) || uint64(len(src)) > math.MaxUint32 || len(src) < size/8*7 {
		return nil
	}
	s := snappyWalker{src: src, at: at, pieces: pieces[:0], limit: min(4+size/pieceBytes, maxPieces)}
	for s.at < len(src) {
		if !s.element() || len(s.pieces) > s.limit || s.out > size {
			return nil
		}
	}
	if s.out != size {
		return nil
	}
	return s.pieces
}

// snappyWalker walks over the elements of a snappy block.
type snappyWalker struct {
	src    []byte
	at     int // of the next element
	out    int // bytes that the elements so far inflate to
	pieces []piece
	starts []int // by piece: where in the output it begins
	limit  int
}

func (s *snappyWalker) element() bool {
	tag := s.src[s.at]
	s.at++
	switch tag & 3 {
	case snappyLiteral:
		n := int(tag >> 2)
		if n >= 60 { // the length follows, in one to four bytes
			var ok bool
			if n, ok = s.number(n - 59); !ok {
				return false
			}
		}
		n++
		if n > len(s.src)-s.at {
			return false
		}
		s.add(s.at, n)
		s.at += n
		return true
	case snappyCopy1:
		low, ok := s.number(1)
		return ok && s.copied(int(tag>>5)<<8|low, 4+int(tag>>2&7))
	case snappyCopy2:
		offset, ok := s.number(2)
		return ok && s.copied(offset, 1+int(tag>>2))
	default:
		offset, ok := s.number(4)
		return ok && s.copied(offset, 1+int(tag>>2))
	}
}

// number reads a number of n bytes, 1 to 4.
func (s *snappyWalker) number(n int) (int, bool) {
	if n > len(s.src)-s.at {
		return 0, false
	}
	var word [4]byte
	copy(word[:], s.src[s.at:s.at+n])
	s.at += n
	v := int(binary.LittleEndian.Uint32(word[:]))
	return v, v >= 0
}

// add appends n bytes of src.
func (s *snappyWalker) add(from, n int) {
	s.pieces = append(s.pieces, piece{uint32(from), uint32(from + n)}) //nolint:gosec // src is shorter than 4 GiB
	s.starts = append(s.starts, s.out)
	s.out += n
}

// copied appends n bytes from offset bytes before the end of the output so far, if they lie
// in one piece.
func (s *snappyWalker) copied(offset, n int) bool {
	from := s.out - offset
	if from < 0 || offset < n {
		return false
	}
	k, exact := slices.BinarySearch(s.starts, from)
	if !exact {
		k--
	}
	at := int(s.pieces[k].from) + from - s.starts[k]
	if at+n > int(s.pieces[k].to) {
		return false
	}
	s.add(at, n)
	return true
}
