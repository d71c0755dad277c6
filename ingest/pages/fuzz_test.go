package pages

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// FuzzFile reads every column of a file, flat, list and list of lists. It does
// not panic, keeps to its budget, gives everything back, and names the column
// where it fails.
func FuzzFile(f *testing.F) {
	for name := range corpusFiles(false) {
		data := readFixture(f, name)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	for _, name := range small() {
		f.Add(readFixture(f, name))
	}
	for depth := range 3 {
		n := int32(3)
		f.Add(assembleList(f, depth, 2, int64(n), listPage(n, runs([]byte{0, 1, 0}), runs([]byte{1, 1, 0}), 2)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		budget := NewBudget(testBudget)
		for _, r := range []interface {
			ReadAt(p []byte, off int64) (int, error)
		}{bytes.NewReader(data), mappedBytes{bytes.NewReader(data), data}} {
			err := readColumns(r, int64(len(data)), budget)
			var bad *FormatError
			if err != nil && !errors.Is(err, ErrLimit) && !errors.As(err, &bad) {
				t.Errorf("the error is %v", err)
			}
			noLeak(t, budget)
		}
	})
}

// fuzzTypes are one of every way in which values are stored.
func fuzzTypes() []format.SchemaElement {
	flat := func(typ format.Type) format.SchemaElement { return format.SchemaElement{Type: thrift.New(typ)} }
	logical := func(typ format.Type, size int32, v format.LogicalTypeValue) format.SchemaElement {
		e := flat(typ)
		e.TypeLength = thrift.New(size)
		e.LogicalType.Value = v
		return e
	}
	decimal := &format.DecimalType{Scale: 4, Precision: 9}
	return []format.SchemaElement{
		flat(format.Boolean), flat(format.Int32), flat(format.Int64), flat(format.Int96), flat(format.Float), flat(format.Double), flat(format.ByteArray),
		logical(format.Int32, 0, &format.IntType{BitWidth: 32}), logical(format.Int32, 0, decimal), logical(format.Int64, 0, decimal), logical(format.ByteArray, 0, decimal),
		logical(format.FixedLenByteArray, 5, decimal), logical(format.FixedLenByteArray, 20, decimal), logical(format.FixedLenByteArray, 16, &format.UUIDType{}),
		logical(format.FixedLenByteArray, 2, &format.Float16Type{}), logical(format.FixedLenByteArray, 3, nil), logical(format.Int32, 0, &format.NullType{}),
	}
}

// FuzzPage reads one page, with or without a dictionary, of every type in every
// encoding, at every depth. Read one row at a time or all at once, from a file
// or a mapping, with views or without, it gives the same values, or none.
func FuzzPage(f *testing.F) {
	for typ := range fuzzTypes() {
		for depth := range 3 {
			page := listPage(3, runs([]byte{0, 1, 0}), runs([]byte{1, 1, 0}), 2)
			length, err := vet(page)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(typ), byte(depth), byte(format.Plain), uint16(3), page[length:], []byte(nil))
			f.Add(byte(typ), byte(depth), byte(format.RLEDictionary), uint16(3), append(page[length:length+16:length+16], 1, 6, 0), page[length+12:])
		}
	}
	for name := range corpusFiles(false) { // real pages, whatever they are taken for
		data := readFixture(f, name)
		pages, meta := pagesOf(f, data)
		for _, p := range pages {
			if p.header.Type == format.DataPage && meta.RowGroups[p.group].Columns[p.column].MetaData.Codec == format.Uncompressed {
				typ := byte(meta.RowGroups[p.group].Columns[p.column].MetaData.Type)
				f.Add(typ, byte(p.column%3), byte(p.header.DataPageHeader.V.Encoding), uint16(p.header.DataPageHeader.V.NumValues), data[p.body:p.end], []byte(nil))
			}
		}
	}
	f.Fuzz(func(t *testing.T, typ, depth, encoding byte, values uint16, body, dictionary []byte) {
		types := fuzzTypes()
		schema := listSchema(int(depth % 3))
		leaf := types[int(typ)%len(types)]
		leaf.Name, leaf.RepetitionType = schema[len(schema)-1].Name, schema[len(schema)-1].RepetitionType
		schema[len(schema)-1] = leaf
		var chunk []byte
		if len(dictionary) > 0 {
			chunk = dictionaryPage(int32(len(dictionary)%9), int32(len(dictionary)), dictionary)
		}
		at := int64(4 + len(chunk))
		chunk = append(chunk, dataPage(int32(values), int32(len(body)), format.Encoding(encoding%10), body)...)
		meta := format.ColumnMetaData{Type: leaf.Type.V, PathInSchema: pathOf(schema), NumValues: int64(values), TotalCompressedSize: int64(len(chunk)), DataPageOffset: at}
		if len(dictionary) > 0 {
			meta.DictionaryPageOffset = 4
		}
		rows := int64(values)
		if depth%3 > 0 {
			rows = max(rows/2, min(rows, 1))
		}
		data := tail(append([]byte(magic), chunk...), marshal(t, &format.FileMetaData{
			Version: 1, NumRows: rows, Schema: schema, RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{{MetaData: meta}}}},
		}))
		samePage(t, data)
	})
}

// samePage reads the column of a file in all ways.
func samePage(t *testing.T, data []byte) {
	t.Helper()
	budget := NewBudget(testBudget)
	var first string
	for way := range 8 {
		var f *File
		var err error
		if way&1 == 0 {
			f, err = openBytes(data, budget)
		} else {
			f, err = Open(mappedBytes{bytes.NewReader(data), data}, int64(len(data)), budget)
		}
		if err != nil {
			t.Fatal(err)
		}
		step := 1000 // less than a page may have, so that some are read in parts
		if way&2 == 0 {
			step = 7
		}
		got, err := viewedValues(f, step, way&4 == 0)
		f.Close()
		noLeak(t, budget)
		result := fmt.Sprint(got)
		if err != nil {
			result = "error"
		}
		if way == 0 {
			first = result
		}
		if result != first {
			t.Fatalf("way %d reads %s (%v), not %s", way, result, err, first)
		}
	}
}

func viewedValues(f *File, step int, view bool) ([]any, error) {
	c := f.Columns()[0]
	cursor, err := openCursor(f, 0, c)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	b := usedBlock()
	b.View = view
	var all []any
	for int64(len(all)) < f.GroupRows(0) {
		n, err := cursor.Next(b, step)
		if err != nil {
			return nil, err
		}
		for i := range n {
			all = append(all, rowOf(b, c, i))
		}
	}
	return all, nil
}
