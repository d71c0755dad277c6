package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// broad is a file of groups row groups of one row and columns columns, all of
// whose chunks are the same page.
func broad(tb testing.TB, groups, columns int) []byte {
	tb.Helper()
	body := binary.LittleEndian.AppendUint64(nil, 7)
	chunk := append(marshal(tb, &format.PageHeader{
		Type: format.DataPage, CompressedPageSize: 8, UncompressedPageSize: 8,
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 1, Encoding: format.Plain, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	}), body...)
	meta := format.FileMetaData{
		Version: 1, NumRows: int64(groups),
		Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(columns))}},
	}
	for c := range columns {
		meta.Schema = append(meta.Schema, format.SchemaElement{
			Name: fmt.Sprintf("c%d", c), Type: thrift.New(format.Int64), RepetitionType: thrift.New(format.Required),
		})
	}
	group := format.RowGroup{NumRows: 1}
	for c := range columns {
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
			Type: format.Int64, PathInSchema: []string{fmt.Sprintf("c%d", c)}, NumValues: 1, TotalCompressedSize: int64(len(chunk)), DataPageOffset: 4,
			Encoding:   []format.Encoding{format.Plain, format.RLE},
			Statistics: format.Statistics{MinValue: body, MaxValue: body},
		}})
	}
	pages := []byte(magic)
	for range groups {
		own := group
		own.Columns = slices.Clone(group.Columns)
		for c := range own.Columns {
			own.Columns[c].MetaData.DataPageOffset = int64(len(pages))
			pages = append(pages, chunk...)
		}
		meta.RowGroups = append(meta.RowGroups, own)
	}
	return tail(pages, marshal(tb, &meta))
}

// What a footer takes is its size, four bytes for every column chunk, and the
// columns: far less than all that it says.
func TestFooterOfManyChunks(t *testing.T) {
	for name, tc := range map[string]struct {
		groups, columns int
		budget          int64
	}{
		"row groups": {5000, 3, 3 << 20},
		"columns":    {1, 20000, 28 << 20},
		"both":       {900, 100, 20 << 20},
	} {
		data := broad(t, tc.groups, tc.columns)
		budget := NewBudget(tc.budget)
		bounded(t, uint64(tc.budget+(4<<20)), func() {
			f, err := openBytes(data, budget)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer f.Close()
			if f.Groups() != tc.groups || f.Rows() != int64(tc.groups) || len(f.Columns()) != tc.columns {
				t.Errorf("%s: %d row groups, %d rows, %d columns", name, f.Groups(), f.Rows(), len(f.Columns()))
			}
			c := columnOf(t, f, fmt.Sprintf("c%d", tc.columns-1))
			got, err := groupValues(f, tc.groups-1, c, 1)
			if err != nil || len(got) != 1 || got[0] != int64(7) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		})
		noLeak(t, budget)
	}
}

// holes are bytes of a file that are nowhere but at its ends.
type holes struct {
	head, tail []byte
	size       int64
}

func (h holes) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	if at < int64(len(h.head)) {
		copy(b, h.head[at:])
	}
	if from := h.size - int64(len(h.tail)); at+int64(len(b)) > from {
		copy(b[max(0, from-at):], h.tail[max(0, at-from):])
	}
	return len(b), nil
}

// A footer whose length lies is damage, whatever the memory that it would take.
func TestFooterLengthLies(t *testing.T) {
	end := append(binary.LittleEndian.AppendUint32(nil, 1<<31-1), magic...)
	for name, tc := range map[string]struct {
		start []byte // of the footer
		want  error
	}{
		"nothing in it":         {nil, errDamaged},
		"no type of a field":    {[]byte{0x1F}, errDamaged},
		"too long a list":       {binary.AppendUvarint([]byte{0x29, 0xFC}, 1<<40), errDamaged},
		"too long a text":       {binary.AppendUvarint([]byte{0x68}, 1<<40), errDamaged},
		"as a footer can be":    {binary.AppendUvarint([]byte{0x15, 0x02, 0x19, 0xFC}, 1<<20), ErrLimit}, // nothing is wrong in its first bytes
		"a text of that length": {binary.AppendUvarint([]byte{0x68}, 1<<30), ErrLimit},
	} {
		size := int64(100 << 30)
		h := sparse{holes{head: []byte(magic), tail: end, size: size}, size - 8 - (1<<31 - 1), tc.start}
		_, err := Open(h, size, NewBudget(64<<20))
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sparse is a file of holes with some bytes in it.
type sparse struct {
	holes
	at    int64
	bytes []byte
}

func (l sparse) ReadAt(b []byte, at int64) (int, error) {
	n, err := l.holes.ReadAt(b, at)
	if at == l.at {
		copy(b, l.bytes)
	}
	return n, err
}

// Two schemas, fields of other types and missing ones are damage.
func TestFooterFields(t *testing.T) {
	meta := marshal(t, &format.FileMetaData{
		Version: 1, Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(0))}},
	})
	if _, err := readMeta(newLayouts().footer, meta, func(int64) error { return nil }); err != nil {
		t.Fatal(err)
	}
	schema := []byte{0x09, 0x04, 0x0C} // field 2 again, by its number: a list of nothing
	for name, buf := range map[string][]byte{
		"a schema twice":     append(bytes.Clone(meta[:len(meta)-1]), append(schema, 0)...),
		"nothing":            {0},
		"a number of groups": {0x46, 0x02, 0},
		"groups of numbers":  {0x49, 0x16, 0x02, 0},
		"rows of a text":     {0x38, 0x01, 'x', 0},
	} {
		if _, err := readMeta(newLayouts().footer, buf, func(int64) error { return nil }); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	boolean := []byte{0x15, 0x02, 0x19, 0x1C, 0x32, 0x18, 1, 'c', 0, 0} // the third field of an element
	_, err := readMeta(newLayouts().footer, boolean, func(int64) error { return nil })
	if mend, ok := errors.AsType[*MendError](err); !errors.Is(err, errDamaged) || !ok || !strings.Contains(mend.Mend, "has_nulls") {
		t.Errorf("a boolean repetition: %v", err)
	}
}

// A text that no memory makes readable is no reason to ask for more.
func TestTextTooLong(t *testing.T) {
	c := Cursor{chunk: &chunk{column: &Column{}, budget: NewBudget(1 << 40)}}
	if err := c.newArena(new(Block), maxText+1); !errors.Is(err, errDamaged) || errors.Is(err, ErrLimit) {
		t.Errorf("got %v", err)
	}
}
