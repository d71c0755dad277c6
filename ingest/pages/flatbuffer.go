package pages

import "encoding/binary"

// table is a table of a FlatBuffers message, which need not be one: what lies
// outside of it reads as not there
// (flatbuffers.dev/internals, "Tables").
type table struct {
	buf []byte
	at  int
}

// rootTable is the table that the offset at a place leads to.
func rootTable(buf []byte, at int) (table, bool) {
	off, ok := word(buf, at)
	return table{buf[min(at, len(buf)):], int(off)}, ok && int64(off) < int64(len(buf)-at)
}

func word(buf []byte, at int) (uint32, bool) {
	if at < 0 || at+4 > len(buf) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(buf[at:]), true
}

// field returns where a field of size bytes is; ok is false where the table does not have it.
func (t table) field(number, size int) (at int, ok bool) {
	back, ok := word(t.buf, t.at)
	if !ok {
		return 0, false
	}
	vtable := t.at - int(int32(back)) //nolint:gosec // the bits
	slot := vtable + 4 + 2*number
	if vtable < 0 || slot+2 > len(t.buf) {
		return 0, false
	}
	length, off := int(binary.LittleEndian.Uint16(t.buf[vtable:])), int(binary.LittleEndian.Uint16(t.buf[slot:]))
	if slot+2-vtable > length || off == 0 || t.at+off+size > len(t.buf) {
		return 0, false
	}
	return t.at + off, true
}

func (t table) byte(number int) byte {
	if at, ok := t.field(number, 1); ok {
		return t.buf[at]
	}
	return 0
}

func (t table) int16(number int, otherwise int16) int16 {
	if at, ok := t.field(number, 2); ok {
		return int16(binary.LittleEndian.Uint16(t.buf[at:])) //nolint:gosec // the bits
	}
	return otherwise
}

func (t table) int32(number int, otherwise int32) int32 {
	if at, ok := t.field(number, 4); ok {
		return int32(binary.LittleEndian.Uint32(t.buf[at:])) //nolint:gosec // the bits
	}
	return otherwise
}

// follow returns the place that a field leads to.
func (t table) follow(number int) (int, bool) {
	at, ok := t.field(number, 4)
	if !ok {
		return 0, false
	}
	off, _ := word(t.buf, at)
	to := int64(at) + int64(off)
	return int(to), off > 0 && to+4 <= int64(len(t.buf))
}

func (t table) table(number int) (table, bool) {
	at, ok := t.follow(number)
	return table{t.buf, at}, ok
}

func (t table) text(number int) string {
	at, ok := t.follow(number)
	if !ok {
		return ""
	}
	n, _ := word(t.buf, at)
	if int64(n) > int64(len(t.buf)-at-4) {
		return ""
	}
	return string(t.buf[at+4 : at+4+int(n)])
}

// each calls see for the tables of a vector.
func (t table) each(number int, see func(table)) {
	at, ok := t.follow(number)
	if !ok {
		return
	}
	n, _ := word(t.buf, at)
	if int64(n) > int64(len(t.buf)-at-4)/4 {
		return
	}
	for i := range int(n) {
		item := at + 4 + 4*i
		off, _ := word(t.buf, item)
		if to := int64(item) + int64(off); off > 0 && to+4 <= int64(len(t.buf)) {
			see(table{t.buf, int(to)})
		}
	}
}
