package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	godelta "github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

const mebibyte = 1 << 20

// bombs are zeros compressed by every codec, and what they inflate to: two
// gigabytes where the codec can say that in two megabytes.
func bombs(t *testing.T) map[format.CompressionCodec]struct {
	src  []byte
	size int
} {
	t.Helper()
	zeros := make([]byte, mebibyte)
	stream := func(w io.WriteCloser, buf *bytes.Buffer, n int) []byte {
		for range n {
			if _, err := w.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	var gz, br, zs bytes.Buffer
	zw, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	member, frame := stream(gzip.NewWriter(&gz), &gz, 1), stream(zw, &zs, 1)
	blob := stream(brotli.NewWriterLevel(&br, 1), &br, 256)
	block := make([]byte, lz4.CompressBlockBound(256*mebibyte))
	n, err := lz4.CompressBlock(make([]byte, 256*mebibyte), block, nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[format.CompressionCodec]struct {
		src  []byte
		size int
	}{
		format.Gzip:   {slices.Repeat(member, 2047), 2047 * mebibyte},
		format.Zstd:   {slices.Repeat(frame, 2047), 2047 * mebibyte},
		format.Brotli: {blob, 256 * mebibyte},
		format.Lz4Raw: {block[:n], 256 * mebibyte},
		format.Snappy: {snappy.Encode(nil, make([]byte, 64*mebibyte)), 64 * mebibyte},
	}
}

// A page that inflates to gigabytes is not inflated where the header says so,
// and not beyond what the header says where that is less. It is the same for
// dictionaries.
func TestCorpusBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out pages that inflate to gigabytes; the full run has them")
	}
	for codec, bomb := range bombs(t) {
		t.Logf("%v: %d bytes become %d MiB", codec, len(bomb.src), bomb.size/mebibyte)
		for _, claim := range []int{bomb.size, 1 << 16, 1, 0} {
			values := int64(max(claim/8, 1))
			what := fmt.Sprintf("%v that claims %d bytes", codec, claim)
			data := dataPage(int32(values), int32(claim), format.Plain, bomb.src)
			refused(t, what, assemble(format.Double, format.Required, codec, values, data, 0))
			dict := dictionaryPage(int32(values), int32(claim), bomb.src)
			refused(t, what+" of a dictionary", assemble(format.Double, format.Required, codec, values, append(dict, data...), int64(len(dict))))
		}
	}
}

// dictionaryPage is a dictionary page that claims what it is told to.
func dictionaryPage(values, inflated int32, body []byte) []byte {
	h := format.PageHeader{
		Type: format.DictionaryPage, UncompressedPageSize: inflated, CompressedPageSize: int32(len(body)),
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: values, Encoding: format.Plain}),
	}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		panic(err)
	}
	return append(b, body...)
}

// indexedFile builds a file of a dictionary of two values and a page of indices.
func indexedFile(typ format.Type, dictionary, indices []byte, values int64) []byte {
	dict := dictionaryPage(2, int32(len(dictionary)), dictionary)
	page := dataPage(int32(values), int32(len(indices)), format.RLEDictionary, indices)
	return assemble(typ, format.Required, format.Uncompressed, values, append(dict, page...), int64(len(dict)))
}

// Indices beyond the dictionary, and dictionaries that are not one.
func TestCorpusDictionaries(t *testing.T) {
	texts := []byte{1, 0, 0, 0, 'a', 1, 0, 0, 0, 'b'}
	for typ, two := range map[format.Type][]byte{
		format.Int32: make([]byte, 8), format.Int64: make([]byte, 16), format.Float: make([]byte, 8), format.Double: make([]byte, 16),
		format.ByteArray: texts, format.Int96: make([]byte, 24),
	} {
		if err := outcome(t, "a sound one", indexedFile(typ, two, []byte{1, 3, 0b01100110}, 8)); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
		for what, indices := range map[string][]byte{
			"an index of 2":                {2, 20, 2},
			"a packed index of 2":          {2, 3, 0, 0b10},
			"an index of 2^32-1":           {32, 20, 0xFF, 0xFF, 0xFF, 0xFF},
			"indices of 33 bits":           {33, 20, 0, 0, 0, 0, 0},
			"indices of 255 bits":          {255, 20, 0},
			"fewer indices":                {1, 4, 1},
			"no indices":                   {},
			"indices that end in a header": {1, 0x80},
			"a cut packed run":             {8, 3, 0},
			"packed runs without end":      append([]byte{1}, binary.AppendUvarint(nil, 1<<63)...),
		} {
			refused(t, fmt.Sprintf("%v, %s", typ, what), indexedFile(typ, two, indices, 10))
		}
		refused(t, fmt.Sprintf("%v, a dictionary cut short", typ), indexedFile(typ, two[:len(two)-1], []byte{1, 20, 0}, 10))
		first := dictionaryPage(2, int32(len(two)), two)
		page := dataPage(10, 3, format.RLEDictionary, []byte{1, 20, 0})
		refused(t, fmt.Sprintf("%v, two dictionaries", typ), assemble(typ, format.Required, format.Uncompressed, 10, slices.Concat(first, first, page), int64(2*len(first))))
		refused(t, fmt.Sprintf("%v, no dictionary", typ), assemble(typ, format.Required, format.Uncompressed, 10, page, 0))
		for _, n := range []int32{-1, 3, 1 << 20, 1<<31 - 1} {
			dict := dictionaryPage(n, int32(len(two)), two)
			refused(t, fmt.Sprintf("%v, a dictionary of %d", typ, n), assemble(typ, format.Required, format.Uncompressed, 10, append(dict, page...), int64(len(dict))))
		}
	}
	refused(t, "a dictionary of booleans", indexedFile(format.Boolean, []byte{1}, []byte{1, 20, 0}, 10))
}

// Texts that take far more memory than the page that they come from.
func TestCorpusLongTexts(t *testing.T) {
	ints := func(v ...int32) []byte {
		b, err := (&godelta.BinaryPackedEncoding{}).EncodeInt32(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const long = maxDeltaText
	n := 8192
	prefixes, suffixes := make([]int32, n), make([]int32, n)
	for i := 1; i < n; i++ {
		prefixes[i] = long
	}
	suffixes[0] = long
	delta := slices.Concat(ints(prefixes...), ints(suffixes...), make([]byte, long))
	file := assemble(format.ByteArray, format.Required, format.Uncompressed, int64(n), dataPage(int32(n), int32(len(delta)), format.DeltaByteArray, delta), 0)
	wantLimit(t, "a prefix of a mebibyte, again and again", file)

	dict := append(binary.LittleEndian.AppendUint32(nil, long), make([]byte, long+4)...)
	wantLimit(t, "one text of a dictionary, again and again", indexedFile(format.ByteArray, dict, []byte{1, 0x80, 0x80, 1, 0}, 8192))

	claim := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 1<<20), 1), 1<<62)
	blocks := append(append(claim, 0), make([]byte, 1<<20)...)
	refused(t, "lengths of 2^62 texts", assemble(format.ByteArray, format.Required, format.Uncompressed, 64, dataPage(64, int32(len(blocks)), format.DeltaLengthByteArray, blocks), 0))
	refused(t, "prefixes of 2^62 texts", assemble(format.ByteArray, format.Required, format.Uncompressed, 64, dataPage(64, int32(len(blocks)), format.DeltaByteArray, blocks), 0))
}

// wantLimit reads a file in blocks of many rows, and wants it to stop at the
// budget, which is more than one text takes.
func wantLimit(t *testing.T, what string, data []byte) {
	t.Helper()
	budget := NewBudget(16 * mebibyte)
	took := allocated(func() {
		f, err := openBytes(data, budget)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = groupValues(f, 0, f.Columns()[0], 8192); !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", what, err)
		}
		f.Close()
	})
	if took > 40*mebibyte {
		t.Errorf("%s: %d MiB were allocated", what, took/mebibyte)
	}
	noLeak(t, budget)
}

// A page header that nests without end, or claims lists that are not there.
func TestCorpusPageThrift(t *testing.T) {
	for what, header := range map[string][]byte{
		"structures in structures": bytes.Repeat([]byte{0x1C}, 1<<16),
		"lists in lists":           append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 1<<16)...),
		"maps in maps":             append([]byte{0x1B}, bytes.Repeat([]byte{1, 0xBB}, 1<<16)...),
		"a list of 2^40":           binary.AppendUvarint([]byte{0x19, 0xFC}, 1<<40),
		"a text of 2^62":           binary.AppendUvarint([]byte{0x18}, 1<<62),
		"a header without end":     bytes.Repeat([]byte{0x15, 2}, 1<<16),
		"only zeros":               make([]byte, 1<<16),
		"nothing":                  {},
	} {
		refused(t, what, assemble(format.Double, format.Required, format.Uncompressed, 8, header, 0))
	}
}

// A group's name is in the name of every column below it: a megabyte of names
// can become gigabytes.
func TestCorpusLongNames(t *testing.T) {
	const leaves = 30_000
	schema := []format.SchemaElement{{Name: "root", NumChildren: thrift.New[int32](1)}, {Name: string(make([]byte, mebibyte)), NumChildren: thrift.New[int32](leaves), RepetitionType: thrift.New(format.Required)}}
	for range leaves {
		schema = append(schema, format.SchemaElement{Name: "x", Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Required)})
	}
	data := tail([]byte(magic), marshal(t, &format.FileMetaData{Version: 1, Schema: schema}))
	budget := NewBudget(128 * mebibyte)
	took := allocated(func() {
		if _, err := openBytes(data, budget); !errors.Is(err, ErrLimit) {
			t.Errorf("got %v", err)
		}
	})
	if took > 256*mebibyte {
		t.Errorf("%d MiB were allocated", took/mebibyte)
	}
	noLeak(t, budget)
}

// Files of no bytes, and of hardly any.
func TestCorpusShortFiles(t *testing.T) {
	for _, data := range []string{"", "P", "PAR1", "PAR1PAR1", "PAR1\x00\x00\x00\x00PAR1", "PAR1\x00\x01\x00\x00\x00PAR1", "PARE\x00\x00\x00\x00PARE", "not parquet at all"} {
		refused(t, fmt.Sprintf("%q", data), []byte(data))
	}
	zeros := make([]byte, 1000)
	refused(t, "zeros", zeros)
	refused(t, "zeros between the magic", append(append([]byte(magic), zeros...), magic...))
}
