package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// lying are files whose headers and footers are made to lie.
func lying() []string {
	return []string{"pyarrow-codec-none-v1.parquet", "pyarrow-codec-snappy-v2.parquet", "pyarrow-codec-zstd-v1-checksum.parquet"}
}

// refused wants an error of a file that lies.
func refused(t *testing.T, what string, data []byte) {
	t.Helper()
	var bad *FormatError
	if err := outcome(t, what, data); !errors.As(err, &bad) && !errors.Is(err, ErrLimit) {
		t.Errorf("%s: %v", what, err)
	}
}

// What is rebuilt without an edit reads.
func TestRebuildKeeps(t *testing.T) {
	for _, name := range lying() {
		if err := outcome(t, name, rebuild(t, readFixture(t, name), keep, nil)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A footer's length that is not that of the footer.
func TestCorpusFooterLengths(t *testing.T) {
	for _, name := range lying() {
		data := readFixture(t, name)
		length := len(data) - 8 - footerOf(data)
		for _, n := range []int{0, 1, length - 1, length + 1, len(data) - 12, len(data) - 11, len(data), math.MaxInt32, math.MaxUint32} {
			changed := binary.LittleEndian.AppendUint32(bytes.Clone(data[:len(data)-8]), uint32(n))
			refused(t, fmt.Sprintf("%s with a footer of %d bytes", name, n), append(changed, magic...))
		}
	}
}

// Footers that lie of rows, values, bytes and places.
func TestCorpusFooterLies(t *testing.T) {
	chunk := func(m *format.FileMetaData) *format.ColumnMetaData { return &m.RowGroups[0].Columns[1].MetaData }
	for what, lie := range map[string]func(m *format.FileMetaData){
		"no rows":                  func(m *format.FileMetaData) { m.NumRows = 0 },
		"fewer rows":               func(m *format.FileMetaData) { m.NumRows-- },
		"negative rows":            func(m *format.FileMetaData) { m.NumRows = -m.NumRows },
		"more rows than are in it": func(m *format.FileMetaData) { m.NumRows = math.MaxInt64 },
		"more rows, consistently":  func(m *format.FileMetaData) { m.NumRows++; m.RowGroups[0].NumRows++ },
		"fewer rows, consistently": func(m *format.FileMetaData) { m.NumRows--; m.RowGroups[0].NumRows-- },
		"rows that overflow": func(m *format.FileMetaData) {
			m.RowGroups[0].NumRows, m.RowGroups[1].NumRows = math.MaxInt64, math.MaxInt64
		},
		"rows that cancel":          func(m *format.FileMetaData) { m.RowGroups[0].NumRows += 50; m.RowGroups[1].NumRows -= 50 },
		"a group of no rows":        func(m *format.FileMetaData) { m.NumRows -= m.RowGroups[0].NumRows; m.RowGroups[0].NumRows = 0 },
		"a group of no columns":     func(m *format.FileMetaData) { m.RowGroups[0].Columns = nil },
		"a group of fewer columns":  func(m *format.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[1:] },
		"columns in another order":  func(m *format.FileMetaData) { c := m.RowGroups[0].Columns; c[0], c[3] = c[3], c[0] },
		"more values":               func(m *format.FileMetaData) { chunk(m).NumValues++ },
		"fewer values":              func(m *format.FileMetaData) { chunk(m).NumValues-- },
		"negative values":           func(m *format.FileMetaData) { chunk(m).NumValues = math.MinInt64 },
		"more values of a list":     func(m *format.FileMetaData) { m.RowGroups[0].Columns[4].MetaData.NumValues++ },
		"fewer values of a list":    func(m *format.FileMetaData) { m.RowGroups[0].Columns[4].MetaData.NumValues-- },
		"no values of a list":       func(m *format.FileMetaData) { m.RowGroups[0].Columns[4].MetaData.NumValues = 0 },
		"no bytes":                  func(m *format.FileMetaData) { chunk(m).TotalCompressedSize = 0 },
		"negative bytes":            func(m *format.FileMetaData) { chunk(m).TotalCompressedSize = -1 },
		"fewer bytes":               func(m *format.FileMetaData) { chunk(m).TotalCompressedSize-- },
		"more bytes than there are": func(m *format.FileMetaData) { chunk(m).TotalCompressedSize = math.MaxInt64 },
		"pages before the file":     func(m *format.FileMetaData) { chunk(m).DictionaryPageOffset, chunk(m).DataPageOffset = 0, -1 },
		"pages after the file": func(m *format.FileMetaData) {
			chunk(m).DictionaryPageOffset, chunk(m).DataPageOffset = 0, math.MaxInt64
		},
		"pages within the magic":    func(m *format.FileMetaData) { chunk(m).DictionaryPageOffset, chunk(m).DataPageOffset = 0, 3 },
		"pages in the footer":       func(m *format.FileMetaData) { chunk(m).DictionaryPageOffset = 0; chunk(m).DataPageOffset += 1 << 12 },
		"another file":              func(m *format.FileMetaData) { m.RowGroups[0].Columns[1].FilePath = "other.parquet" },
		"another type":              func(m *format.FileMetaData) { chunk(m).Type = format.Int32 },
		"a codec that is not known": func(m *format.FileMetaData) { chunk(m).Codec = 99 },
		"the LZO codec":             func(m *format.FileMetaData) { chunk(m).Codec = format.LZO },
		"another codec":             func(m *format.FileMetaData) { chunk(m).Codec = format.Gzip },
		"no schema":                 func(m *format.FileMetaData) { m.Schema = nil },
		"a schema of more columns":  func(m *format.FileMetaData) { m.Schema[0].NumChildren.V++ },
		"a column of another type":  func(m *format.FileMetaData) { m.Schema[2].Type.V = format.Int64 },
		"a column that repeats":     func(m *format.FileMetaData) { m.Schema[2].RepetitionType.V = format.Repeated },
		"a column that is required": func(m *format.FileMetaData) { m.Schema[2].RepetitionType.V = format.Required },
	} {
		for _, name := range lying() {
			refused(t, name+" with "+what, rebuild(t, readFixture(t, name), keep, lie))
		}
	}
}

// headerLie changes a page header; it reports whether the lie must be noticed,
// and changes nothing where it does not apply.
type headerLie func(h *format.PageHeader, codec format.CompressionCodec) (noticed bool)

func headerLies() map[string]headerLie {
	packed := func(h *format.PageHeader, codec format.CompressionCodec) bool {
		return codec != format.Uncompressed && (!h.DataPageHeaderV2.Valid || h.DataPageHeaderV2.V.IsCompressed.V)
	}
	return map[string]headerLie{
		"a negative size": func(h *format.PageHeader, _ format.CompressionCodec) bool { h.CompressedPageSize = -1; return true },
		"no size":         func(h *format.PageHeader, _ format.CompressionCodec) bool { h.CompressedPageSize = 0; return true },
		"a huge size": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.CompressedPageSize = math.MaxInt32
			return true
		},
		"a byte more": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			h.CompressedPageSize++
			return packed(h, codec)
		},
		"a byte less": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			h.CompressedPageSize--
			return packed(h, codec)
		},
		"a negative inflated size": func(h *format.PageHeader, _ format.CompressionCodec) bool { h.UncompressedPageSize = -1; return true },
		"a huge inflated size": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			h.UncompressedPageSize = math.MaxInt32
			return packed(h, codec)
		},
		"an inflated byte more": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			h.UncompressedPageSize++
			return packed(h, codec)
		},
		"an inflated byte less": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			h.UncompressedPageSize--
			return packed(h, codec)
		},
		"an unknown type":      func(h *format.PageHeader, _ format.CompressionCodec) bool { h.Type = 99; return true },
		"the type of an index": func(h *format.PageHeader, _ format.CompressionCodec) bool { h.Type = format.IndexPage; return true },
		"no header of its type": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeader.Valid, h.DataPageHeaderV2.Valid, h.DictionaryPageHeader.Valid = false, false, false
			return true
		},
		"a negative count": counted(func(int32) int32 { return -1 }),
		"no count":         counted(func(int32) int32 { return 0 }),
		"one more":         counted(func(n int32) int32 { return n + 1 }),
		"one less": func(h *format.PageHeader, codec format.CompressionCodec) bool {
			counted(func(n int32) int32 { return n - 1 })(h, codec)
			return h.Type != format.DictionaryPage // of a dictionary, no row may have the last
		},
		"a huge count": counted(func(int32) int32 { return math.MaxInt32 }),
		"an encoding": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeader.V.Encoding, h.DataPageHeaderV2.V.Encoding, h.DictionaryPageHeader.V.Encoding = 99, 99, 99
			return true
		},
		"bit-packed levels": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeader.V.DefinitionLevelEncoding = format.BitPacked
			return h.DataPageHeader.Valid
		},
		"negative levels": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeaderV2.V.DefinitionLevelsByteLength = -1
			return h.DataPageHeaderV2.Valid
		},
		"huge levels": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeaderV2.V.DefinitionLevelsByteLength, h.DataPageHeaderV2.V.RepetitionLevelsByteLength = math.MaxInt32, math.MaxInt32
			return h.DataPageHeaderV2.Valid
		},
		"levels of one byte more": func(h *format.PageHeader, _ format.CompressionCodec) bool {
			h.DataPageHeaderV2.V.DefinitionLevelsByteLength++
			return h.DataPageHeaderV2.Valid
		},
	}
}

func counted(change func(int32) int32) headerLie {
	return func(h *format.PageHeader, _ format.CompressionCodec) bool {
		for _, n := range []*int32{&h.DataPageHeader.V.NumValues, &h.DataPageHeaderV2.V.NumValues, &h.DictionaryPageHeader.V.NumValues} {
			*n = change(*n)
		}
		return true
	}
}

// Every page of a file lies, one after the other, in every way.
func TestCorpusPageLies(t *testing.T) {
	for _, name := range lying() {
		data := readFixture(t, name)
		pages, meta := pagesOf(t, data)
		for what, lie := range headerLies() {
			for k, target := range pages {
				if k%2 > 0 || testing.Short() && k%3 > 0 {
					continue
				}
				noticed := false
				changed := rebuild(t, data, func(p *pageAt, body []byte) []byte {
					if p.start == target.start {
						noticed = lie(p.header, meta.RowGroups[p.group].Columns[p.column].MetaData.Codec)
					}
					return body
				}, nil)
				place := fmt.Sprintf("%s: page %d of column %d with %s", name, target.page, target.column, what)
				if noticed {
					refused(t, place, changed)
				} else {
					_ = outcome(t, place, changed) // It may read, if it does no more.
				}
			}
		}
	}
}
