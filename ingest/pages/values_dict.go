package pages

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// dictionary holds the values of a column chunk's dictionary page; one of the
// slices is used, by the column's type.
type dictionary struct {
	entries int
	beyond  []bool // by entry; nil where all are between the limits of the column chunk
	ints    []int64
	floats  []float64
	texts   [][]byte
	wides   []wide
}

// textBytes is what a slice of bytes takes beside the bytes, and what a wide
// takes.
const textBytes = 24

// newDictionary decodes a dictionary page of n values. The texts point into
// data. It returns what it booked in the budget.
func newDictionary(c *Column, e format.Encoding, n int, data []byte, budget *Budget) (*dictionary, int64, error) {
	if e != format.Plain && e != plainDictionary {
		return nil, 0, fmt.Errorf("a dictionary in encoding %v, which is not read", e)
	}
	size := int64(8)
	if c.store() == storeTexts || c.store() == storeWides {
		size = textBytes
	}
	if n > 8*len(data) { // not even one bit for each
		return nil, 0, errValues
	}
	if err := budget.Take(size * int64(n)); err != nil {
		return nil, 0, err
	}
	d := &dictionary{entries: n}
	err := d.fill(c, n, data)
	return d, size * int64(n), err
}

func (d *dictionary) fill(c *Column, n int, data []byte) error {
	switch c.store() {
	case storeInts:
		if c.phys == format.Boolean {
			return fmt.Errorf("a dictionary of type %s, which is not read", c.phys)
		}
		src, err := newInts(c, format.Plain, stream{cur: data})
		if err != nil {
			return err
		}
		d.ints = make([]int64, n)
		return readDictionary(src, d.ints)
	case storeFloats:
		src, err := newFloats(c, format.Plain, stream{cur: data})
		if err != nil {
			return err
		}
		d.floats = make([]float64, n)
		return readDictionary(src, d.floats)
	case storeTexts:
		src, err := newTexts(c, format.Plain, data)
		if err != nil {
			return err
		}
		d.texts = make([][]byte, n)
		return readDictionary(src, d.texts)
	default:
		src, err := newWides(c, format.Plain, data)
		if err != nil {
			return err
		}
		d.wides = make([]wide, n)
		return readDictionary(src, d.wides)
	}
}

// readDictionary reads all values of a dictionary page.
func readDictionary[T any](src source[T], dst []T) error {
	if err := src.read(dst); err != nil {
		return err
	}
	if src.rest() != 0 {
		return errLeft
	}
	return nil
}

// indexed looks values up in a dictionary.
type indexed[T any] struct {
	dict    []T
	beyond  []bool // of the dictionary
	check   func([]T) error
	indices hybrid
	buf     []uint32
}

// newIndexed returns the values of a dictionary-encoded page.
func newIndexed[T any](d *dictionary, values []T, check func([]T) error, data []byte) (source[T], error) {
	if len(data) == 0 { // a page of nulls only
		return &indexed[T]{}, nil
	}
	if data[0] > 32 {
		return nil, damaged("dictionary indices of %d bits", data[0])
	}
	return &indexed[T]{dict: values, beyond: d.beyond, check: check, indices: newHybrid(data[1:], int(data[0]))}, nil
}

func (x *indexed[T]) read(dst []T) error {
	if len(x.buf) < len(dst) {
		x.buf = make([]uint32, len(dst))
	}
	buf := x.buf[:len(dst)]
	if err := readHybrid(&x.indices, buf); err != nil {
		return err
	}
	for i, k := range buf {
		if int64(k) >= int64(len(x.dict)) {
			return damaged("dictionary index %d of %d", k, len(x.dict))
		}
		dst[i] = x.dict[k]
	}
	if x.beyond != nil {
		return x.within(buf)
	}
	return nil
}

// within refuses an index of an entry beyond the limits of the column chunk.
// Entries that no row has may be: a writer of categories may write all that
// there are.
func (x *indexed[T]) within(indices []uint32) error {
	for _, k := range indices {
		if x.beyond[k] {
			return x.check(x.dict[k : k+1])
		}
	}
	return nil
}

// limit looks for entries beyond the limits of the column chunk, and returns
// what it booked.
func (d *dictionary) limit(c *Column, l *limits, budget *Budget) (int64, error) {
	switch c.store() {
	case storeInts:
		return limitEntries(d, d.ints, l.ints, budget)
	case storeFloats:
		return limitEntries(d, d.floats, l.floats, budget)
	case storeTexts:
		return limitEntries(d, d.texts, l.texts, budget)
	default:
		return limitEntries(d, d.wides, l.wides, budget)
	}
}

func limitEntries[T any](d *dictionary, values []T, check func([]T) error, budget *Budget) (int64, error) {
	if check(values) == nil {
		return 0, nil
	}
	cost := int64(len(values))
	if err := budget.Take(cost); err != nil {
		return 0, err
	}
	d.beyond = make([]bool, len(values))
	for i := range values {
		d.beyond[i] = check(values[i:i+1]) != nil
	}
	return cost, nil
}
