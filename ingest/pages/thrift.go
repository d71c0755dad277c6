package pages

import (
	"encoding/binary"
	"errors"
)

// Types of the Thrift compact protocol
// (github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftI8
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
	thriftUUID
)

// maxThriftDepth is more than any Parquet structure nests.
const maxThriftDepth = 32

// errShort says that a structure goes on beyond the bytes at hand.
var errShort = errors.New("ends within a structure")

// vetter walks over a Thrift structure without building it, and counts the
// items of its lists.
type vetter struct {
	buf   []byte
	pos   int
	items int64
}

// vet walks over the structure at the beginning of buf. It returns the
// structure's length and how many list items it has: what a decoder will
// allocate is in proportion to the latter, and the items are all there.
func vet(buf []byte) (length int, items int64, err error) {
	v := vetter{buf: buf}
	if err := v.structure(0); err != nil {
		return 0, 0, err
	}
	return v.pos, v.items, nil
}

func (v *vetter) structure(depth int) error {
	for {
		head, err := v.byte()
		if err != nil || head == thriftStop {
			return err
		}
		if head>>4 == 0 { // the field's number follows
			if _, err := v.varint(); err != nil {
				return err
			}
		}
		typ := int(head & 15)
		if typ == thriftTrue || typ == thriftFalse { // the value is in the type
			continue
		}
		if err := v.value(typ, depth); err != nil {
			return err
		}
	}
}

func (v *vetter) value(typ, depth int) error {
	switch typ {
	case thriftTrue, thriftFalse, thriftI8:
		return v.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := v.varint()
		return err
	case thriftDouble:
		return v.skip(8)
	case thriftUUID:
		return v.skip(16)
	case thriftBinary:
		n, err := v.varint()
		if err != nil {
			return err
		}
		return v.skip(n)
	case thriftList, thriftSet:
		return v.list(depth + 1)
	case thriftMap:
		return v.mapping(depth + 1)
	case thriftStruct:
		if depth >= maxThriftDepth {
			return damaged("structures nested deeper than %d", maxThriftDepth)
		}
		return v.structure(depth + 1)
	}
	return damaged("a field of type %d", typ)
}

func (v *vetter) list(depth int) error {
	head, err := v.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = v.varint(); err != nil {
			return err
		}
	}
	return v.repeat(n, depth, int(head&15))
}

func (v *vetter) mapping(depth int) error {
	n, err := v.varint()
	if err != nil || n == 0 {
		return err
	}
	types, err := v.byte()
	if err != nil {
		return err
	}
	return v.repeat(n, depth, int(types>>4), int(types&15))
}

// repeat walks over n items of the types, each of which takes a byte at least.
func (v *vetter) repeat(n uint64, depth int, types ...int) error {
	if depth >= maxThriftDepth {
		return damaged("lists nested deeper than %d", maxThriftDepth)
	}
	if n > uint64(len(v.buf[v.pos:])) {
		return errShort
	}
	v.items += int64(n) //nolint:gosec // at most len(buf)
	for range n {
		for _, typ := range types {
			if err := v.value(typ, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *vetter) byte() (byte, error) {
	if v.pos >= len(v.buf) {
		return 0, errShort
	}
	v.pos++
	return v.buf[v.pos-1], nil
}

func (v *vetter) skip(n uint64) error {
	if n > uint64(len(v.buf[v.pos:])) {
		return errShort
	}
	v.pos += int(n) //nolint:gosec // at most len(buf)
	return nil
}

func (v *vetter) varint() (uint64, error) {
	x, n := binary.Uvarint(v.buf[v.pos:])
	switch {
	case n == 0:
		return 0, errShort
	case n < 0:
		return 0, damaged("a number of more than 64 bits")
	}
	v.pos += n
	return x, nil
}
