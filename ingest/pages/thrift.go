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

// vetter walks over a Thrift structure without building it.
type vetter struct {
	buf []byte
	pos int

	beyond uint64 // bytes of the structure that follow buf
}

// vet walks over the structure at the beginning of buf. It returns the
// structure's length; the items that its lists claim are all there.
func vet(buf []byte) (length int, err error) {
	v := vetter{buf: buf}
	if err := v.structure(0); err != nil {
		return 0, err
	}
	return v.pos, nil
}

// vetPrefix is vet of the first bytes of a structure of size bytes. It returns
// errShort where nothing in them is wrong.
func vetPrefix(prefix []byte, size int64) (length int, err error) {
	v := vetter{buf: prefix, beyond: uint64(max(0, size-int64(len(prefix))))}
	err = v.structure(0)
	return v.pos, err
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
	n, item, err := v.listHead()
	if err != nil {
		return err
	}
	return v.repeat(n, depth, item)
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
	left := uint64(len(v.buf[v.pos:]))
	if n > left+v.beyond {
		return v.tooLong(n)
	}
	for range n {
		for _, typ := range types {
			if err := v.value(typ, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// tooLong is the error of what does not fit into the structure's bytes.
func (v *vetter) tooLong(n uint64) error {
	if v.beyond == 0 {
		return errShort
	}
	return damaged("%d bytes or items where fewer are left", n)
}

func (v *vetter) byte() (byte, error) {
	if v.pos >= len(v.buf) {
		return 0, errShort
	}
	v.pos++
	return v.buf[v.pos-1], nil
}

func (v *vetter) skip(n uint64) error {
	if left := uint64(len(v.buf[v.pos:])); n > left+v.beyond {
		return v.tooLong(n)
	} else if n > left {
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
