package pages

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"
)

// wide is a value of more than 64 bits: a decimal or an INT96.
type wide struct {
	value    float64 // of a decimal: the nearest
	unscaled int64   // of a decimal: times 10^scale; of an INT96: nanoseconds since 1970
	over     bool    // unscaled cannot hold it, and is 0
}

// newWides returns the values of a page of decimals or of INT96.
func newWides(c *Column, e format.Encoding, data []byte) (source[wide], error) {
	switch {
	case c.phys == format.Int96 && e == format.Plain:
		return &plainInt96{data}, nil
	case c.phys == format.Int96:
		return nil, unknownEncoding(e, c)
	case c.phys == format.Int32, c.phys == format.Int64:
		src, err := newInts(c, e, stream{cur: data})
		return &intDecimals{src: src, of: newScaled(c.Scale)}, err
	default:
		src, err := newTexts(c, e, data)
		return &byteDecimals{src: src, of: newScaled(c.Scale)}, err
	}
}

// keepWides puts values at their place in the block, from the from-th on.
func (b *Block) keepWides(c *Column, from int, values []wide) {
	for i, v := range values {
		b.keepWide(c, from+i, v)
	}
}

func (b *Block) keepWide(c *Column, i int, v wide) {
	b.Int[i], b.Over[i] = v.unscaled, v.over
	if v.over {
		b.Overs++
	}
	if c.Kind == Decimal {
		b.Float[i] = v.value
	}
}

// plainInt96 reads timestamps as Hive, Impala and Spark write them: 8 bytes of
// nanoseconds within the day, and 4 bytes of the Julian day's number, low byte
// first.
type plainInt96 struct{ src []byte }

const (
	int96Bytes = 12
	// julian1970 is the number of the Julian day that begins at noon of
	// 1970-01-01; by convention it stands for the day from midnight.
	julian1970 = 2440588
	dayNanos   = 24 * 60 * 60 * 1_000_000_000
)

func (p *plainInt96) read(dst []wide) error {
	if len(p.src)/int96Bytes < len(dst) {
		return errValues
	}
	for i := range dst {
		v := p.src[int96Bytes*i:]
		nanos := int64(binary.LittleEndian.Uint64(v))     //nolint:gosec // the bits
		day := int32(binary.LittleEndian.Uint32(v[8:12])) //nolint:gosec // the bits
		dst[i].value = 0
		dst[i].unscaled, dst[i].over = sinceEpoch(int64(day)-julian1970, nanos)
	}
	p.src = p.src[int96Bytes*len(dst):]
	return nil
}

// sinceEpoch is day·dayNanos + nanos, or over where int64 cannot hold it.
func sinceEpoch(day, nanos int64) (sum int64, over bool) {
	hi, lo := bits.Mul64(uint64(max(day, -day)), dayNanos) //nolint:gosec // less than 2^32; times 2^47, so that hi is below 2^15
	if day < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	lo, carry := bits.Add64(lo, uint64(nanos), 0) //nolint:gosec // the bits
	hi += carry + uint64(nanos>>63)               //nolint:gosec // the sign, extended
	if hi != uint64(int64(lo)>>63) {              //nolint:gosec // the sign, extended
		return 0, true
	}
	return int64(lo), false //nolint:gosec // the bits
}

// noValues is the source of a column of logical type UNKNOWN.
type noValues struct{}

func (noValues) read(dst []int64) error {
	if len(dst) > 0 {
		return damaged("a value in a column of logical type unknown, all of which are null")
	}
	return nil
}

// float16 is a half-precision number; every one is a float64.
func float16(u uint16) float64 {
	sign, exponent, fraction := u>>15, int(u>>10&0x1F), float64(u&0x3FF)
	x := math.Ldexp(fraction, -24)
	switch {
	case exponent == 0x1F && u&0x3FF != 0:
		return math.NaN()
	case exponent == 0x1F:
		x = math.Inf(1)
	case exponent > 0:
		x = math.Ldexp(fraction+0x400, exponent-25)
	}
	if sign == 1 {
		return math.Copysign(x, -1)
	}
	return x
}
