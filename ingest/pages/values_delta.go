package pages

import "encoding/binary"

// delta reads DELTA_BINARY_PACKED as a stream.
type delta struct {
	src       []byte
	mini      int    // miniblocks per block
	perMini   uint64 // values per miniblock
	left      uint64 // values not read yet
	value     int64  // the next value, if first; else the last one
	first     bool
	min       int64  // of the deltas of the block
	widths    []byte // bits, of the block's miniblocks not begun
	width     int    // bits, of the current miniblock
	packed    []byte // the current miniblock, or its part that the page holds
	at, count uint64 // values read of the current miniblock, and in it
}

// maxDeltaBlock bounds the values of a block; writers use 128 to 1,024.
const maxDeltaBlock = 1 << 20

func newDelta(src []byte) (delta, error) {
	d := delta{src: src, first: true}
	block, err := d.uvarint()
	if err != nil {
		return d, err
	}
	mini, err := d.uvarint()
	if err != nil {
		return d, err
	}
	if d.left, err = d.uvarint(); err != nil {
		return d, err
	}
	if block == 0 || block > maxDeltaBlock || block%128 != 0 || mini == 0 || mini > block/32 || block%mini != 0 || block/mini%32 != 0 {
		return d, damaged("delta blocks of %d values in %d miniblocks", block, mini)
	}
	d.mini, d.perMini = int(mini), block/mini //nolint:gosec // at most maxDeltaBlock
	d.value, err = d.varint()
	return d, err
}

func (d *delta) uvarint() (uint64, error) {
	x, n := binary.Uvarint(d.src)
	if n <= 0 {
		return 0, damaged("a delta header is cut")
	}
	d.src = d.src[n:]
	return x, nil
}

func (d *delta) varint() (int64, error) {
	x, n := binary.Varint(d.src)
	if n <= 0 {
		return 0, damaged("a delta header is cut")
	}
	d.src = d.src[n:]
	return x, nil
}

// next returns the next value.
func (d *delta) next() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	d.left--
	if d.first {
		d.first = false
		return d.value, nil
	}
	if d.at == d.count {
		if err := d.nextMini(); err != nil {
			return 0, err
		}
	}
	bit := d.at * uint64(d.width)                      //nolint:gosec // 0 to 64
	if bit+uint64(d.width) > 8*uint64(len(d.packed)) { //nolint:gosec // 0 to 64
		return 0, errValues
	}
	d.at++
	d.value += d.min + int64(bitsAt(d.packed, bit, d.width)) //nolint:gosec // modulo 2^64 by design
	return d.value, nil
}

// nextMini moves to the next miniblock, and block where that one is done.
func (d *delta) nextMini() error {
	if len(d.widths) == 0 {
		lowest, err := d.varint()
		if err != nil {
			return err
		}
		if len(d.src) < d.mini {
			return damaged("a delta block is cut")
		}
		d.min, d.widths, d.src = lowest, d.src[:d.mini], d.src[d.mini:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	if d.width > 64 {
		return damaged("deltas of %d bits", d.width)
	}
	size := min(d.perMini*uint64(d.width)/8, uint64(len(d.src))) //nolint:gosec // 0 to 64
	d.packed, d.src = d.src[:size], d.src[size:]
	d.at, d.count = 0, d.perMini
	return nil
}

// after returns the bytes that follow all values, without moving. It looks at
// miniblocks only: a few bytes can claim a million values.
func (d *delta) after() ([]byte, error) {
	ahead := *d
	if ahead.first && ahead.left > 0 {
		ahead.first = false
		ahead.left--
	}
	for ahead.left > 0 {
		if ahead.at == ahead.count {
			if err := ahead.nextMini(); err != nil {
				return nil, err
			}
		}
		n := min(ahead.left, ahead.count-ahead.at)
		if ahead.at += n; ahead.at*uint64(ahead.width) > 8*uint64(len(ahead.packed)) { //nolint:gosec // 0 to 64
			return nil, errValues
		}
		ahead.left -= n
	}
	return ahead.src, nil
}

// bitsAt returns width bits, 0 to 64, from a bit position within src.
func bitsAt(src []byte, bit uint64, width int) uint64 {
	shift := bit % 8
	v := loadBits(src, bit/8) >> shift
	if shift+uint64(width) > 64 { //nolint:gosec // 0 to 64
		v |= loadBits(src, bit/8+8) << (64 - shift)
	}
	if width == 64 {
		return v
	}
	return v & (1<<width - 1)
}

// deltaInts are the integers of a delta page; arithmetic is modulo 2^32 for
// 32-bit columns.
type deltaInts struct {
	d        delta
	wide     bool
	unsigned bool
}

func (s *deltaInts) read(dst []int64) error {
	for i := range dst {
		v, err := s.d.next()
		if err != nil {
			return err
		}
		if !s.wide {
			v = widen(uint32(v), s.unsigned) //nolint:gosec // the low 32 bits
		}
		dst[i] = v
	}
	return nil
}
