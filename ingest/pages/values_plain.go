package pages

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// plain64 are numbers of eight bytes, low byte first.
type plain64[T int64 | float64] struct{ src stream }

func (p *plain64[T]) read(dst []T) error {
	b := bytesOf(dst)
	if !p.src.read(b) {
		return errValues
	}
	if !littleEndian() {
		swap(b)
	}
	return nil
}

// view returns the next n values where they are in the page, if that can be.
func (p *plain64[T]) view(n int) ([]T, bool) {
	if !littleEndian() {
		return nil, false
	}
	b, ok := p.src.view(8 * n)
	return numbersOf[T](b), ok
}

// swap turns the bytes of numbers of eight bytes around.
func swap(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, bits.ReverseBytes64(binary.NativeEndian.Uint64(b)))
	}
}

type plainInt32 struct {
	src      stream
	unsigned bool
}

func (p *plainInt32) read(dst []int64) error {
	var word [8]byte
	for len(dst) > 0 {
		src := p.src.some(len(dst), 4, &word)
		if len(src) == 0 {
			return errValues
		}
		n := len(src) / 4
		widenAll(dst[:n], src, p.unsigned)
		dst = dst[n:]
	}
	return nil
}

// widenAll widens as many 32-bit integers as dst holds.
func widenAll(dst []int64, src []byte, unsigned bool) {
	src = src[:4*len(dst)]
	if unsigned {
		for i := range dst {
			dst[i] = int64(binary.LittleEndian.Uint32(src[4*i:]))
		}
		return
	}
	for i := range dst {
		dst[i] = int64(int32(binary.LittleEndian.Uint32(src[4*i:]))) //nolint:gosec // the bits
	}
}

type plainFloat32 struct{ src stream }

func (p *plainFloat32) read(dst []float64) error {
	var word [8]byte
	for len(dst) > 0 {
		src := p.src.some(len(dst), 4, &word)
		if len(src) == 0 {
			return errValues
		}
		n := len(src) / 4
		for i := range dst[:n] {
			dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
		}
		dst = dst[n:]
	}
	return nil
}
