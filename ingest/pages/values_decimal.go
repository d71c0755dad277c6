package pages

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

const (
	// maxDecimalBytes bounds the unscaled value of a decimal, so that every
	// decimal is a finite float64: 2^1023 is one.
	maxDecimalBytes = 128
	maxPrecision    = 307
	exactPower      = 22      // 10^22 is the largest power of ten that float64 holds
	exactInteger    = 1 << 53 // so are all integers up to here
)

// scaled turns unscaled decimals into the nearest float64, ties to even:
//
//	value = unscaled / 10^scale
//
// Where both are float64 exactly, one division rounds correctly (IEEE 754).
// Otherwise strconv.ParseFloat reads the decimal's digits, and rounds
// correctly whatever their number.
type scaled struct {
	scale int
	power float64 // 10^scale, or 0 where float64 does not hold it
	text  []byte
}

func newScaled(scale int) scaled {
	s := scaled{scale: scale}
	if scale <= exactPower {
		s.power = math.Pow10(scale)
	}
	return s
}

func (s *scaled) ofInt(v int64) wide {
	if s.power != 0 && v <= exactInteger && v >= -exactInteger {
		return wide{value: float64(v) / s.power, unscaled: v}
	}
	s.text = strconv.AppendInt(s.text[:0], v, 10)
	return wide{value: s.parse(), unscaled: v}
}

// parse is text times 10^-scale.
func (s *scaled) parse() float64 {
	s.text = strconv.AppendInt(append(s.text, 'e'), int64(-s.scale), 10)
	v, _ := strconv.ParseFloat(string(s.text), 64) // no error: an integer below 2^1023 and an exponent of at most 0
	return v
}

// ofBytes reads an integer in two's complement, high byte first.
func (s *scaled) ofBytes(b []byte) (wide, error) {
	if len(b) == 0 || len(b) > maxDecimalBytes {
		return wide{}, damaged("a decimal of %d bytes, of 1 to %d", len(b), maxDecimalBytes)
	}
	short := b
	for len(short) > 8 && (short[0] == 0 && short[1] < 0x80 || short[0] == 0xFF && short[1] >= 0x80) {
		short = short[1:]
	}
	if len(short) <= 8 {
		v := int64(int8(short[0])) //nolint:gosec // the sign
		for _, next := range short[1:] {
			v = v<<8 | int64(next)
		}
		return s.ofInt(v), nil
	}
	s.text = bigInt(short).Append(s.text[:0], 10)
	return wide{value: s.parse(), over: true}, nil
}

func bigInt(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// intDecimals are decimals stored as 32- or 64-bit integers.
type intDecimals struct {
	src source[int64]
	of  scaled
	buf []int64
}

func (d *intDecimals) read(dst []wide) error {
	d.buf = resize(d.buf, len(dst))
	if err := d.src.read(d.buf); err != nil {
		return err
	}
	for i, v := range d.buf {
		dst[i] = d.of.ofInt(v)
	}
	return nil
}

// byteDecimals are decimals stored as byte arrays, of one length or of several.
type byteDecimals struct {
	src source[[]byte]
	of  scaled
	buf [][]byte
}

func (d *byteDecimals) read(dst []wide) error {
	for chunk := range slices.Chunk(dst, textStep(d.src, decimalChunk)) {
		d.buf = resize(d.buf, len(chunk))
		if err := d.src.read(d.buf); err != nil {
			return err
		}
		for i, b := range d.buf {
			v, err := d.of.ofBytes(b)
			if err != nil {
				return err
			}
			chunk[i] = v
		}
	}
	return nil
}

// decimalChunk is the number of byte arrays that are read before they become
// numbers.
const decimalChunk = 256
