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
	// rest returns how many bytes are behind the values that were read, -1 where values are.
	rest() int
}

// errValues is what a source returns when a page has fewer values than its
// levels promise.
var errValues = damaged("fewer values than the page claims")

func unknownEncoding(e format.Encoding, c *Column) error {
	return fmt.Errorf("values of type %s in encoding %v, which is not read", c.phys, e)
}

// newInts returns the values of a boolean or integer page. PLAIN numbers are
// read of the stream, other encodings of its one slice.
func newInts(c *Column, e format.Encoding, s stream) (source[int64], error) {
	wide, data := c.phys == format.Int64, s.cur
	if c.Kind == Null {
		return noValues{}, nil
	}
	if c.phys == format.Boolean {
		return newBools(c, e, data)
	}
	switch e {
	case format.Plain:
		if wide {
			return &plain64[int64]{s}, nil
		}
		return &plainInt32{s, c.Kind == Uint}, nil
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

// newFloats returns the values of a float or double page, as newInts does.
func newFloats(c *Column, e format.Encoding, s stream) (source[float64], error) {
	data := s.cur
	switch {
	case c.phys == format.FixedLenByteArray:
		return newFloat16s(c, e, data)
	case e == format.Plain && c.phys == format.Double:
		return &plain64[float64]{s}, nil
	case e == format.Plain:
		return &plainFloat32{s}, nil
	case e == format.ByteStreamSplit && c.phys == format.Double:
		return &split[float64]{data, 8, 0, math.Float64frombits}, nil
	case e == format.ByteStreamSplit:
		return &split[float64]{data, 4, 0, func(u uint64) float64 { return float64(math.Float32frombits(uint32(u))) }}, nil //nolint:gosec // 4 bytes
	}
	return nil, unknownEncoding(e, c)
}

// newTexts returns the values of a byte array page.
func newTexts(c *Column, e format.Encoding, data []byte) (source[[]byte], error) {
	if c.phys == format.FixedLenByteArray {
		return newFixed(c, e, data)
	}
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
