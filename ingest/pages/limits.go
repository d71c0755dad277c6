package pages

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// limits are what a column chunk's statistics say of its values: how many are
// null, and the least and the largest.
type limits struct {
	nulls    int64 // -1: not said
	low      limit
	high     limit
	low8     uint64 // of texts: the first eight bytes, high byte first
	high8    uint64
	unsigned bool
}

// limit is one of the two. Only the store of the column is meant.
type limit struct {
	known bool
	int   int64
	float float64
	text  []byte
	wide  wide
}

// Fields of ColumnChunk, ColumnMetaData and Statistics.
const (
	fieldMetaData   = 3
	fieldStatistics = 12

	fieldNullCount = 3
	fieldMax       = 5
	fieldMin       = 6
	fieldMaxExact  = 7
	fieldMinExact  = 8
)

// maxUntold is the number of bytes from which on a text of statistics that do
// not say whether it is whole may be the beginning of one.
const maxUntold = 16

// limits reads the statistics of a column chunk. Those of the least and the
// largest value count where the footer says that the column has the order of
// its type, and they are whole. The older pair, min and max, does not count:
// writers differed in which order they meant.
func (f *File) limits(g int, c *Column) *limits {
	l := &limits{nulls: -1, unsigned: c.Kind == Uint}
	s := f.meta.statistics(g, c.index)
	if s.hasNulls {
		l.nulls = s.nulls
	}
	if c.phys == format.Int96 || c.index >= len(f.meta.ordered) || !f.meta.ordered[c.index] {
		return l
	}
	l.low, l.high = c.limit(s.min, s.minExact), c.limit(s.max, s.maxExact)
	if l.low.known && l.high.known && !l.upward(c) {
		l.low, l.high = limit{}, limit{}
	}
	l.low8, l.high8 = firstBytes(l.low.text), firstBytes(l.high.text)
	return l
}

// upward reports whether the least is no more than the largest, and neither is
// NaN. Where it is not so, the writer had another order in mind: parquet-go
// compares decimals in byte arrays by their bytes without a sign.
func (l *limits) upward(c *Column) bool {
	low, high := &l.low, &l.high
	switch c.store() {
	case storeInts:
		return l.unsigned && uint64(low.int) <= uint64(high.int) || !l.unsigned && low.int <= high.int //nolint:gosec // the bits
	case storeFloats:
		return low.float <= high.float
	case storeTexts:
		return bytes.Compare(low.text, high.text) <= 0
	default:
		return !high.wide.less(&low.wide)
	}
}

// several reports whether the least and the largest value are known and are not one.
func (l *limits) several(c *Column) bool {
	swapped := &limits{low: l.high, high: l.low, unsigned: l.unsigned}
	return l.low.known && l.high.known && !swapped.upward(c)
}

// limit decodes a value of statistics. Byte arrays of several lengths are not
// compared as decimals, because not all writers do.
func (c *Column) limit(b []byte, exact told) limit {
	whole := exact != toldNo
	if c.phys == format.ByteArray && exact == untold {
		whole = len(b) < maxUntold
	}
	if c.phys == format.ByteArray && c.Kind == Decimal {
		whole = false
	}
	if b == nil || !whole || c.phys != format.ByteArray && len(b) != c.valueBytes() {
		return limit{}
	}
	l := limit{known: true}
	var err error
	switch c.store() {
	case storeInts:
		l.int, err = firstOf(newInts(c, format.Plain, stream{cur: b}))
	case storeFloats:
		l.float, err = firstOf(newFloats(c, format.Plain, stream{cur: b}))
	case storeTexts:
		l.text = b
	case storeWides:
		l.wide, err = c.wideLimit(b)
	}
	if err != nil {
		return limit{}
	}
	return l
}

func (c *Column) wideLimit(b []byte) (wide, error) {
	if c.phys == format.Int32 || c.phys == format.Int64 {
		return firstOf(newWides(c, format.Plain, b))
	}
	of := newScaled(c.Scale)
	return of.ofBytes(b)
}

// valueBytes is what a value takes in statistics, but of byte arrays.
func (c *Column) valueBytes() int {
	switch c.phys {
	case format.Boolean:
		return 1
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	default:
		return c.size
	}
}

// firstOf is the first value of a source.
func firstOf[T any](src source[T], err error) (T, error) {
	var one [1]T
	if err == nil {
		err = src.read(one[:])
	}
	return one[0], err
}

// errBeyond is the error of a value that is not between the two.
func (l *limits) errBeyond(v, low, high any) error {
	between := fmt.Sprintf("from %v to %v", low, high)
	switch {
	case !l.low.known:
		between = fmt.Sprintf("up to %v", high)
	case !l.high.known:
		between = fmt.Sprintf("from %v", low)
	}
	return damaged("the value %v, where the statistics of the column chunk say %s", v, between)
}

// ints checks integers. The distance from the least value to a value is at most the
// distance to the largest, modulo 2^64, in both orders.
func (l *limits) ints(values []int64) error {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if l.unsigned {
		low, high = 0, -1
	}
	if l.low.known {
		low = l.low.int
	}
	if l.high.known {
		high = l.high.int
	}
	reach := uint64(high) - uint64(low) //nolint:gosec // modulo 2^64 by design
	for _, v := range values {
		if uint64(v)-uint64(low) > reach { //nolint:gosec // modulo 2^64 by design
			if l.unsigned {
				return l.errBeyond(uint64(v), uint64(low), uint64(high)) //nolint:gosec // the bits
			}
			return l.errBeyond(v, low, high)
		}
	}
	return nil
}

// floats checks numbers; NaN is not among those that statistics are about.
func (l *limits) floats(values []float64) error {
	low, high := math.Inf(-1), math.Inf(1)
	if l.low.known {
		low = l.low.float
	}
	if l.high.known {
		high = l.high.float
	}
	for _, v := range values {
		if v < low || v > high {
			return l.errBeyond(v, low, high)
		}
	}
	return nil
}

// texts checks byte arrays, in the order of their bytes. The first eight decide
// nearly always.
func (l *limits) texts(values [][]byte) error {
	for _, v := range values {
		first := firstBytes(v)
		if l.low.known && first <= l.low8 && bytes.Compare(v, l.low.text) < 0 ||
			l.high.known && first >= l.high8 && bytes.Compare(v, l.high.text) > 0 {
			return l.errBeyond(fmt.Sprintf("%.40q", v), fmt.Sprintf("%.40q", l.low.text), fmt.Sprintf("%.40q", l.high.text))
		}
	}
	return nil
}

// firstBytes are the first eight bytes of a text as a number; those that it does
// not have are zero.
func firstBytes(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.BigEndian.Uint64(text)
	}
	var word [8]byte
	copy(word[:], text)
	return binary.BigEndian.Uint64(word[:])
}

// wides checks decimals.
func (l *limits) wides(values []wide) error {
	for i := range values {
		v := &values[i]
		if l.low.known && v.less(&l.low.wide) || l.high.known && l.high.wide.less(v) {
			return l.errBeyond(v.value, l.low.wide.value, l.high.wide.value)
		}
	}
	return nil
}

// less reports whether v is surely below another decimal: rounding to float64
// keeps the order, and may make two equal.
func (v *wide) less(of *wide) bool {
	if v.over || of.over {
		return v.value < of.value
	}
	return v.unscaled < of.unscaled
}

// within is a source whose values the limits are asked of.
type within[T any] struct {
	source[T]
	check func([]T) error
}

// limited puts the limits before a source, where they say anything.
func limited[T any](l *limits, src source[T], check func([]T) error) source[T] {
	if !l.low.known && !l.high.known {
		return src
	}
	return &within[T]{src, check}
}

func (w *within[T]) read(dst []T) error {
	if err := w.source.read(dst); err != nil {
		return err
	}
	return w.check(dst)
}

// viewOf is view of a source, if it can be, with the limits asked.
func viewOf[T any](src source[T], n int) (values []T, ok bool, err error) {
	limited, is := src.(*within[T])
	if is {
		src = limited.source
	}
	if at, has := src.(viewer[T]); has {
		values, ok = at.view(n)
	}
	if ok && is {
		err = limited.check(values)
	}
	return values, ok, err
}
