package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// small are fixtures that are changed byte by byte: version 1 and 2 pages,
// dictionaries, deltas, lists, several codecs.
func small() []string {
	return []string{"pyarrow-nested.parquet", "duckdb-zstd-v2.parquet", "pyarrow-delta.parquet", "pyarrow-lz4.parquet", "pyarrow-brotli-v2.parquet", "duckdb-gzip.parquet", "pyarrow-split-v2.parquet"}
}

func readFixture(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// A truncated file has no footer where it should be, so every cut is an error.
func TestTruncatedIsAnError(t *testing.T) {
	for _, name := range small() {
		data := readFixture(t, name)
		budget := NewBudget(testBudget)
		for n := 0; n < len(data); n += 1 + n/200 {
			var bad *FormatError
			if err := readAll(data[:n], budget); !errors.As(err, &bad) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
		}
		noLeak(t, budget)
	}
}

// A byte may lie. Nothing panics, nothing is allocated beyond the budget,
// and everything that was booked is given back.
func TestBytesMayLie(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range small() {
		data := readFixture(t, name)
		budget := NewBudget(testBudget)
		for i := 0; i < len(data); i += 16 { // the fuzz test has no such gaps
			changed := bytes.Clone(data)
			changed[i] ^= byte(1 + rng.IntN(255))
			_ = readAll(changed, budget) // It may be harmless; what counts is what it does not do.
		}
		noLeak(t, budget)
	}
}

// A page that carries a checksum does not survive a change of any of its bits.
func TestChecksumsAreVerified(t *testing.T) {
	data := readFixture(t, "pyarrow-snappy.parquet")
	f := openedBytes(t, data, nil)
	refused, total := 0, 0
	meta := wholeMeta(t, f)
	for c := range f.Columns() {
		m := &meta.RowGroups[0].Columns[c].MetaData
		changed := bytes.Clone(data)
		start := m.DataPageOffset
		if m.DictionaryPageOffset > 0 {
			start = m.DictionaryPageOffset
		}
		changed[start+m.TotalCompressedSize-1] ^= 0x10 // the last byte of the last page
		total++
		var bad *FormatError
		if err := readAll(changed, nil); errors.As(err, &bad) {
			refused++
		}
	}
	if refused != total {
		t.Errorf("%d of %d changed pages were noticed", refused, total)
	}
}

// assemble builds a file with one column chunk out of pages, of which the
// dictionary takes a number of bytes.
func assemble(typ format.Type, repetition format.FieldRepetitionType, codec format.CompressionCodec, rows int64, chunk []byte, dictionary int64) []byte {
	meta := format.FileMetaData{
		Version: 1, NumRows: rows,
		Schema: []format.SchemaElement{
			{Name: "root", NumChildren: thrift.New[int32](1)},
			{Name: "c", Type: thrift.New(typ), RepetitionType: thrift.New(repetition)},
		},
		RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{
			Type: typ, PathInSchema: []string{"c"}, Codec: codec, NumValues: rows, TotalCompressedSize: int64(len(chunk)),
			DataPageOffset: 4 + dictionary, Encoding: []format.Encoding{format.Plain},
		}}}}},
	}
	if dictionary > 0 {
		meta.RowGroups[0].Columns[0].MetaData.DictionaryPageOffset = 4
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &meta)
	if err != nil {
		panic(err)
	}
	return tail(append([]byte(magic), chunk...), footer)
}

// tail appends a footer and its length.
func tail(head, footer []byte) []byte {
	out := slices.Concat(head, footer)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, magic...)
}

// dataPage is a version 1 page that claims what it is told to.
func dataPage(values, inflated int32, encoding format.Encoding, body []byte) []byte {
	h := format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: inflated, CompressedPageSize: int32(len(body)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: values, Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		panic(err)
	}
	return append(b, body...)
}

// bounded runs f and fails if it allocated more than the limit, in all.
func bounded(t *testing.T, limit uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > limit {
		t.Errorf("%d MiB were allocated", took>>20)
	}
}

// Small files that claim to be, or to become, very large.
func TestBombs(t *testing.T) {
	const huge = 2_000_000_000
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zeros := enc.EncodeAll(make([]byte, 256<<20), nil)
	runs := binary.AppendUvarint([]byte{1}, huge<<1) // indices of 1 bit; one run of so many
	runs = append(runs, 0)
	deltas := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 128), 4), huge)
	for name, tc := range map[string]struct {
		data  []byte
		limit bool
	}{
		"zstd that claims its size":    {assemble(format.Double, format.Required, format.Zstd, 1<<25, dataPage(1<<25, 256<<20, format.Plain, zeros), 0), false},
		"zstd of a page that is large": {assemble(format.Double, format.Required, format.Zstd, 1<<25, dataPage(1<<25, 256<<20, format.Plain, make([]byte, 1_400_000)), 0), true},
		"zstd that hides its size":     {assemble(format.Double, format.Required, format.Zstd, 8, dataPage(8, 64, format.Plain, zeros), 0), false},
		"lz4 of nonsense":              {assemble(format.Double, format.Required, format.Lz4Raw, 8, dataPage(8, 64, format.Plain, bytes.Repeat([]byte{0xFF}, 40)), 0), false},
		"snappy that claims gigabytes": {assemble(format.Double, format.Required, format.Snappy, 8, dataPage(8, 64, format.Plain, binary.AppendUvarint(nil, huge)), 0), false},
		"values that are not there":    {assemble(format.Double, format.Required, format.Uncompressed, huge, dataPage(huge, 8, format.Plain, make([]byte, 8)), 0), false},
		"a run without a dictionary":   {assemble(format.Double, format.Required, format.Uncompressed, huge, dataPage(huge, int32(len(runs)), format.RLEDictionary, runs), 0), false},
		"deltas that are not there":    {assemble(format.Int64, format.Required, format.Uncompressed, huge, dataPage(huge, int32(len(deltas)), format.DeltaBinaryPacked, append(deltas, 0)), 0), false},
	} {
		t.Run(name, func(t *testing.T) {
			budget := NewBudget(32 << 20)
			bounded(t, 48<<20, func() {
				f := openedBytes(t, tc.data, budget)
				defer f.Close()
				cursor, err := f.Cursor(0, f.Columns()[0])
				if err != nil {
					t.Fatal(err)
				}
				defer cursor.Close()
				var b Block
				_, err = cursor.Next(&b, 8192)
				var bad *FormatError
				if tc.limit != errors.Is(err, ErrLimit) || !tc.limit && !errors.As(err, &bad) {
					t.Errorf("got %v", err)
				}
			})
			noLeak(t, budget)
		})
	}
}

// A run of two thousand million nulls costs no memory to read.
func TestLongRunStreams(t *testing.T) {
	const rows = 2_000_000_000
	levels := append(binary.AppendUvarint(nil, rows<<1), 0)
	body := append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
	data := assemble(format.Double, format.Optional, format.Uncompressed, rows, dataPage(rows, int32(len(body)), format.Plain, body), 0)
	bounded(t, 8<<20, func() {
		f := openedBytes(t, data, NewBudget(1<<20))
		cursor, err := f.Cursor(0, f.Columns()[0])
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		for range 100 {
			if n, err := cursor.Next(&b, 8192); err != nil || n != 8192 || b.Nulls != n {
				t.Fatalf("%d rows, %d nulls, %v", n, b.Nulls, err)
			}
		}
	})
}

// Footers that would make a trusting decoder take all memory or all stack.
func TestHostileFooters(t *testing.T) {
	list := func(n uint64) []byte { // field 2 of FileMetaData, the schema: n structures
		return binary.AppendUvarint([]byte{0x29, 0xFC}, n)
	}
	nested := bytes.Repeat([]byte{0x1C}, 1<<20) // a structure in a structure in a …
	empties := append(list(1<<19), make([]byte, 1<<19+1)...)
	for name, footer := range map[string][]byte{
		"a list that claims 2^40 items":  list(1 << 40),
		"a list that claims 2^63 items":  list(1 << 63),
		"a million levels":               nested,
		"half a million empty items":     empties,
		"a string that claims 2^62":      binary.AppendUvarint([]byte{0x68}, 1<<62),
		"a number that does not end":     bytes.Repeat([]byte{0x15, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 3),
		"an unknown type":                {0x1F},
		"nothing":                        {},
		"a map of nothing to everything": append([]byte{0x1B}, binary.AppendUvarint(nil, 1<<50)...),
	} {
		t.Run(name, func(t *testing.T) {
			bounded(t, 64<<20, func() {
				if _, err := openBytes(tail([]byte(magic), footer), NewBudget(32<<20)); err == nil {
					t.Error("the file was opened")
				}
			})
		})
	}
	lying := tail([]byte(magic), nil)
	binary.LittleEndian.PutUint32(lying[4:], 1<<31)
	if _, err := openBytes(lying, nil); err == nil {
		t.Error("a footer of 2 GiB was found in a file of 12 bytes")
	}
}

func TestSchemaLies(t *testing.T) {
	element := func(name string, children int32, typ thrift.Null[format.Type], rep format.FieldRepetitionType) format.SchemaElement {
		e := format.SchemaElement{Name: name, Type: typ, RepetitionType: thrift.New(rep)}
		if children != 0 {
			e.NumChildren = thrift.New(children)
		}
		return e
	}
	none, double := thrift.Null[format.Type]{}, thrift.New(format.Double)
	deep := []format.SchemaElement{element("root", 1, none, format.Required)}
	for range 100 {
		deep = append(deep, element("g", 1, none, format.Required))
	}
	deep = append(deep, element("c", 0, double, format.Required))
	for name, schema := range map[string][]format.SchemaElement{
		"empty":               nil,
		"more children":       {element("root", 3, none, format.Required), element("c", 0, double, format.Required)},
		"fewer children":      {element("root", 1, none, format.Required), element("c", 0, double, format.Required), element("d", 0, double, format.Required)},
		"negative children":   {element("root", -1, none, format.Required)},
		"children of a group": {element("root", 1, none, format.Required), element("g", 1<<30, none, format.Required)},
		"bad repetition":      {element("root", 1, none, format.Required), element("c", 0, double, 7)},
		"deep":                deep,
	} {
		if _, err := readSchema(schema, func(int64) error { return nil }); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}
