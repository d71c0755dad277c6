package pages

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"
)

// newBools returns the values of a boolean page as 0 and 1.
func newBools(c *Column, e format.Encoding, data []byte) (source[int64], error) {
	switch e {
	case format.Plain:
		return &plainBools{src: data}, nil
	case format.RLE:
		if len(data) < 4 {
			return nil, errValues
		}
		size, rest := uint64(binary.LittleEndian.Uint32(data)), data[4:]
		if size > uint64(len(rest)) {
			return nil, damaged("booleans of %d bytes where %d are left", size, len(rest))
		}
		return &rleBools{bits: newHybrid(rest[:size], 1), behind: len(rest[size:])}, nil
	default:
		return nil, unknownEncoding(e, c)
	}
}

// plainBools are one bit each, low bit first.
type plainBools struct {
	src []byte
	at  int
}

func (p *plainBools) read(dst []int64) error {
	if len(dst) > 8*len(p.src)-p.at {
		return errValues
	}
	for i := range dst {
		dst[i] = int64(p.src[p.at/8] >> (p.at % 8) & 1)
		p.at++
	}
	return nil
}

type rleBools struct {
	bits   hybrid
	buf    []uint8
	behind int // bytes that follow the runs
}

func (r *rleBools) read(dst []int64) error {
	if len(r.buf) < len(dst) {
		r.buf = make([]uint8, len(dst))
	}
	if err := readHybrid(&r.bits, r.buf[:len(dst)]); err != nil {
		return err
	}
	for i, b := range r.buf[:len(dst)] {
		dst[i] = int64(b)
	}
	return nil
}
