package tableau

import (
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// errTable is what every fault of a flatbuffers table wraps.
var errTable = errors.New("damaged table")

// table is a flatbuffers table in an untrusted buffer. The accessors of
// google/flatbuffers read wherever an offset points and panic beyond the end;
// these check first.
type table struct {
	buf    []byte
	pos    int // of the table
	vtable int // of its vtable
	slots  int // number of fields that the vtable has
}

// rootTable reads the table that buf's first offset points to.
func rootTable(buf []byte) (table, error) {
	if len(buf) < flatbuffers.SizeUOffsetT {
		return table{}, fmt.Errorf("%w: %d bytes", errTable, len(buf))
	}
	return tableAt(buf, int64(flatbuffers.GetUOffsetT(buf)))
}

func tableAt(buf []byte, pos int64) (table, error) {
	if !within(buf, pos, flatbuffers.SizeSOffsetT) {
		return table{}, fmt.Errorf("%w: table at %d of %d bytes", errTable, pos, len(buf))
	}
	vtable := pos - int64(flatbuffers.GetSOffsetT(buf[pos:]))
	if !within(buf, vtable, 2*flatbuffers.SizeVOffsetT) {
		return table{}, fmt.Errorf("%w: vtable at %d of %d bytes", errTable, vtable, len(buf))
	}
	size := int64(flatbuffers.GetVOffsetT(buf[vtable:]))
	if size < 2*flatbuffers.SizeVOffsetT || !within(buf, vtable, size) {
		return table{}, fmt.Errorf("%w: vtable of %d bytes at %d of %d", errTable, size, vtable, len(buf))
	}
	return table{buf, int(pos), int(vtable), int(size)/flatbuffers.SizeVOffsetT - 2}, nil
}

func within(buf []byte, pos, size int64) bool {
	return pos >= 0 && size >= 0 && pos <= int64(len(buf))-size
}

// field returns the position of field id, 0 when it is absent, and checks that
// size bytes are there.
func (t *table) field(id, size int) (int, error) {
	if id >= t.slots {
		return 0, nil
	}
	off := int(flatbuffers.GetVOffsetT(t.buf[t.vtable+(id+2)*flatbuffers.SizeVOffsetT:]))
	if off == 0 {
		return 0, nil
	}
	if !within(t.buf, int64(t.pos+off), int64(size)) {
		return 0, fmt.Errorf("%w: field %d at %d of %d bytes", errTable, id, t.pos+off, len(t.buf))
	}
	return t.pos + off, nil
}

// The scalar accessors return the flatbuffers default, zero, for an absent field.

func (t *table) byteField(id int) (byte, error) {
	pos, err := t.field(id, 1)
	if pos == 0 || err != nil {
		return 0, err
	}
	return t.buf[pos], nil
}

func (t *table) int16Field(id int) (int16, error) {
	pos, err := t.field(id, flatbuffers.SizeInt16)
	if pos == 0 || err != nil {
		return 0, err
	}
	return flatbuffers.GetInt16(t.buf[pos:]), nil
}

func (t *table) int32Field(id int) (int32, error) {
	pos, err := t.field(id, flatbuffers.SizeInt32)
	if pos == 0 || err != nil {
		return 0, err
	}
	return flatbuffers.GetInt32(t.buf[pos:]), nil
}

func (t *table) int64Field(id int) (int64, error) {
	pos, err := t.field(id, flatbuffers.SizeInt64)
	if pos == 0 || err != nil {
		return 0, err
	}
	return flatbuffers.GetInt64(t.buf[pos:]), nil
}

// has reports whether field id is there.
func (t *table) has(id int) bool {
	pos, err := t.field(id, 0)
	return pos != 0 || err != nil
}

// tableField follows field id to a table; it must be there.
func (t *table) tableField(id int) (table, error) {
	pos, err := t.field(id, flatbuffers.SizeUOffsetT)
	if err != nil {
		return table{}, err
	}
	if pos == 0 {
		return table{}, fmt.Errorf("%w: field %d is missing", errTable, id)
	}
	return tableAt(t.buf, int64(pos)+int64(flatbuffers.GetUOffsetT(t.buf[pos:])))
}

// vectorField follows field id to a vector whose items have the given size,
// and returns the bytes of its items; nil when it is absent.
func (t *table) vectorField(id, size int) ([]byte, error) {
	pos, err := t.field(id, flatbuffers.SizeUOffsetT)
	if pos == 0 || err != nil {
		return nil, err
	}
	start := int64(pos) + int64(flatbuffers.GetUOffsetT(t.buf[pos:]))
	if !within(t.buf, start, flatbuffers.SizeUOffsetT) {
		return nil, fmt.Errorf("%w: vector at %d of %d bytes", errTable, start, len(t.buf))
	}
	length := int64(flatbuffers.GetUint32(t.buf[start:])) * int64(size)
	start += flatbuffers.SizeUOffsetT
	if !within(t.buf, start, length) {
		return nil, fmt.Errorf("%w: vector of %d bytes at %d of %d", errTable, length, start, len(t.buf))
	}
	return t.buf[start : start+length], nil
}

// tablesField follows field id to a vector of tables.
func (t *table) tablesField(id int) ([]table, error) {
	items, err := t.vectorField(id, flatbuffers.SizeUOffsetT)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	start := cap(t.buf) - cap(items) // items is a slice of buf
	tables := make([]table, len(items)/flatbuffers.SizeUOffsetT)
	for i := range tables {
		at := start + i*flatbuffers.SizeUOffsetT
		if tables[i], err = tableAt(t.buf, int64(at)+int64(flatbuffers.GetUOffsetT(t.buf[at:]))); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
