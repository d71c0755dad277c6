package pages

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// source is a stream of a page's values, without the nulls. Read fills dst or
// fails. Slices of bytes stay valid until the page's buffer is used again.
type source[T any] interface {
	read(dst []T) error
}

// errValues is what a source returns when a page has fewer values than its
// levels promise.
var errValues = damaged("fewer values than the page claims")

func unknownEncoding(e format.Encoding, c *Column) error {
	return fmt.Errorf("values of type %s in encoding %v, which is not read", c.phys, e)
}

// newInts returns the values of a boolean or integer page.
func newInts(c *Column, e format.Encoding, data []byte) (source[int64], error) {
	wide := c.phys == format.Int64
	if c.phys == format.Boolean {
		return newBools(c, e, data)
	}
	switch e {
	case format.Plain:
		if wide {
			return &plainInt64{data}, nil
		}
		return &plainInt32{data, c.Kind == Uint}, nil
	case format.DeltaBinaryPacked:
		d, err := newDelta(data)
		if err != nil {
			return nil, err
		}
		return &deltaInts{d, wide, c.Kind == Uint}, nil
	case format.ByteStreamSplit:
		if wide {
			return &split[int64]{data, 8, 0, func(u uint64) int64 { return int64(u) }}, nil //nolint:gosec // the bits
		}
		unsigned := c.Kind == Uint
		return &split[int64]{data, 4, 0, func(u uint64) int64 { return widen(uint32(u), unsigned) }}, nil //nolint:gosec // 4 bytes
	default:
		return nil, unknownEncoding(e, c)
	}
}

// newFloats returns the values of a float or double page.
func newFloats(c *Column, e format.Encoding, data []byte) (source[float64], error) {
	switch {
	case e == format.Plain && c.phys == format.Double:
		return &plainFloat64{data}, nil
	case e == format.Plain:
		return &plainFloat32{data}, nil
	case e == format.ByteStreamSplit && c.phys == format.Double:
		return &split[float64]{data, 8, 0, math.Float64frombits}, nil
	case e == format.ByteStreamSplit:
		return &split[float64]{data, 4, 0, func(u uint64) float64 { return float64(math.Float32frombits(uint32(u))) }}, nil //nolint:gosec // 4 bytes
	}
	return nil, unknownEncoding(e, c)
}

// newTexts returns the values of a byte array page.
func newTexts(c *Column, e format.Encoding, data []byte) (source[[]byte], error) {
	switch e {
	case format.Plain:
		return &plainTexts{data}, nil
	case format.DeltaLengthByteArray:
		return newDeltaLengths(data)
	case format.DeltaByteArray:
		return newDeltaTexts(data)
	default:
		return nil, unknownEncoding(e, c)
	}
}

// widen is a 32-bit integer as int64.
func widen(u uint32, unsigned bool) int64 {
	if unsigned {
		return int64(u)
	}
	return int64(int32(u)) //nolint:gosec // the bits
}

type plainInt64 struct{ src []byte }

func (p *plainInt64) read(dst []int64) error {
	if len(p.src) < 8*len(dst) {
		return errValues
	}
	for i := range dst {
		dst[i] = int64(binary.LittleEndian.Uint64(p.src[8*i:])) //nolint:gosec // the bits
	}
	p.src = p.src[8*len(dst):]
	return nil
}

type plainInt32 struct {
	src      []byte
	unsigned bool
}

func (p *plainInt32) read(dst []int64) error {
	if len(p.src) < 4*len(dst) {
		return errValues
	}
	for i := range dst {
		dst[i] = widen(binary.LittleEndian.Uint32(p.src[4*i:]), p.unsigned)
	}
	p.src = p.src[4*len(dst):]
	return nil
}

type plainFloat64 struct{ src []byte }

func (p *plainFloat64) read(dst []float64) error {
	if len(p.src) < 8*len(dst) {
		return errValues
	}
	src := p.src[:8*len(dst)]
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
	}
	p.src = p.src[len(src):]
	return nil
}

type plainFloat32 struct{ src []byte }

func (p *plainFloat32) read(dst []float64) error {
	if len(p.src) < 4*len(dst) {
		return errValues
	}
	for i := range dst {
		dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(p.src[4*i:])))
	}
	p.src = p.src[4*len(dst):]
	return nil
}

type plainTexts struct{ src []byte }

func (p *plainTexts) read(dst [][]byte) error {
	for i := range dst {
		if len(p.src) < 4 {
			return errValues
		}
		n, rest := uint64(binary.LittleEndian.Uint32(p.src)), p.src[4:]
		if n > uint64(len(rest)) {
			return damaged("a text of %d bytes where %d are left", n, len(rest))
		}
		dst[i], p.src = rest[:n:n], rest[n:]
	}
	return nil
}
