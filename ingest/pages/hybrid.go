package pages

import (
	"bytes"
	"encoding/binary"
)

// hybrid reads the RLE / bit-packing hybrid encoding of levels, dictionary
// indices and booleans as a stream: a run of any length costs no memory.
type hybrid struct {
	src    []byte // what follows the current run
	width  int    // bits per value, 0 to 32
	run    uint64 // values left of a repeated value
	value  uint32
	packed []byte // the current bit-packed run
	at     uint64 // values of it that were read
	count  uint64 // values in it
}

func newHybrid(src []byte, width int) hybrid { return hybrid{src: src, width: width} }

// readHybrid fills dst with the next values. The stream may not end before
// that, unless its width is 0: then nothing needs to be stored, and some
// writers store nothing.
func readHybrid[T uint8 | uint32](h *hybrid, dst []T) error {
	for len(dst) > 0 {
		if h.run == 0 && h.at == h.count {
			if err := h.nextRun(); err != nil {
				return err
			}
		}
		var n int
		if h.run > 0 {
			n = int(min(uint64(len(dst)), h.run)) //nolint:gosec // at most len(dst)
			fillWith(dst[:n], T(h.value))
			h.run -= uint64(n)
		} else {
			n = int(min(uint64(len(dst)), h.count-h.at)) //nolint:gosec // at most len(dst)
			unpack(dst[:n], h.packed, h.at, h.width)
			h.at += uint64(n)
		}
		dst = dst[n:]
	}
	return nil
}

// fillWith sets all of dst to v.
func fillWith[T any](dst []T, v T) {
	if len(dst) == 0 {
		return
	}
	dst[0] = v
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// allEqual reports whether all levels, of which there is one at least, are v. It
// compares them with each other, which is one comparison of memory.
func allEqual(levels []uint8, v int) bool {
	return int(levels[0]) == v && bytes.Equal(levels[1:], levels[:len(levels)-1])
}

// nextRun reads the header of the next run that has values.
func (h *hybrid) nextRun() error {
	for {
		if len(h.src) == 0 && h.width == 0 {
			h.run, h.value = 1<<62, 0
			return nil
		}
		head, n := binary.Uvarint(h.src)
		if n <= 0 {
			return damaged("a run of levels or indices is missing")
		}
		h.src = h.src[n:]
		if head < 2 {
			continue
		}
		if head&1 == 0 {
			return h.repeated(head >> 1)
		}
		return h.bitPacked(head >> 1)
	}
}

func (h *hybrid) repeated(count uint64) error {
	size := (h.width + 7) / 8
	if size > len(h.src) {
		return damaged("a run of levels or indices is cut")
	}
	var word [4]byte
	copy(word[:], h.src[:size])
	h.src = h.src[size:]
	h.value = binary.LittleEndian.Uint32(word[:])
	if h.width < 32 && h.value>>h.width != 0 {
		return damaged("a repeated value of more than %d bits", h.width)
	}
	h.run = count
	return nil
}

func (h *hybrid) bitPacked(groups uint64) error {
	if h.width > 0 && groups > uint64(len(h.src))/uint64(h.width) {
		return damaged("a bit-packed run of %d times %d bytes, with %d left", groups, h.width, len(h.src))
	}
	if h.width == 0 {
		h.run, h.value = min(groups, 1<<59)*8, 0
		return nil
	}
	size := int(groups) * h.width //nolint:gosec // at most len(src)
	h.packed, h.src = h.src[:size], h.src[size:]
	h.at, h.count = 0, groups*8
	return nil
}

// unpack reads values of width bits, from the from-th on, of a bit-packed run
// that holds them all.
func unpack[T uint8 | uint32](dst []T, packed []byte, from uint64, width int) {
	head := min(int(-from&7), len(dst))
	unpackEach(dst[:head], packed, from, width)
	dst, from = dst[head:], from+uint64(head)
	if len(dst) >= 8 {
		n := unpackEights(dst, packed[from/8*uint64(width):], width) //nolint:gosec // 1 to 32
		dst, from = dst[n:], from+uint64(n)                          //nolint:gosec // at most len(dst)
	}
	unpackEach(dst, packed, from, width)
}

// unpackEach is unpack value by value.
func unpackEach[T uint8 | uint32](dst []T, packed []byte, from uint64, width int) {
	step, mask := uint64(width), uint64(1)<<width-1 //nolint:gosec // 1 to 32
	for i := range dst {
		bit := (from + uint64(i)) * step
		dst[i] = T(loadBits(packed, bit/8) >> (bit % 8) & mask)
	}
}

// unpackEights reads groups of eight values, which begin at a whole byte, as
// long as it can load eight bytes at once, and returns how many values it read.
// Values of more than 16 bits it leaves to others.
func unpackEights[T uint8 | uint32](dst []T, packed []byte, width int) int {
	switch {
	case width == 1:
		return unpackBits(dst, packed)
	case width > 16:
		return 0
	}
	w, mask := uint(width), uint64(1)<<width-1
	half, shift := width/2, uint(4*width%8) // where the fifth value begins: 0 or 4 bits into a byte
	n := 0
	for len(dst)-n >= 8 && len(packed) >= half+8 {
		lo, hi := binary.LittleEndian.Uint64(packed), binary.LittleEndian.Uint64(packed[half:])>>shift
		d := dst[n : n+8 : n+8]
		d[0], d[1], d[2], d[3] = T(lo&mask), T(lo>>w&mask), T(lo>>(2*w)&mask), T(lo>>(3*w)&mask)
		d[4], d[5], d[6], d[7] = T(hi&mask), T(hi>>w&mask), T(hi>>(2*w)&mask), T(hi>>(3*w)&mask)
		packed = packed[width:]
		n += 8
	}
	return n
}

// unpackBits is unpackEights of values of one bit.
func unpackBits[T uint8 | uint32](dst []T, packed []byte) int {
	n := 0
	for _, b := range packed[:min(len(packed), len(dst)/8)] {
		d := dst[n : n+8 : n+8]
		d[0], d[1], d[2], d[3] = T(b&1), T(b>>1&1), T(b>>2&1), T(b>>3&1)
		d[4], d[5], d[6], d[7] = T(b>>4&1), T(b>>5&1), T(b>>6&1), T(b>>7)
		n += 8
	}
	return n
}

// loadBits loads up to eight bytes at position at, low byte first; bytes
// beyond the end are zero.
func loadBits(src []byte, at uint64) uint64 {
	if at+8 <= uint64(len(src)) {
		return binary.LittleEndian.Uint64(src[at:])
	}
	var word [8]byte
	copy(word[:], src[min(at, uint64(len(src))):])
	return binary.LittleEndian.Uint64(word[:])
}
