package pages

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pageAt is a page of a file: its place among the pages, and in the file.
type pageAt struct {
	group, column, page int
	header              *format.PageHeader
	start, body, end    int // of the header; of what follows; of the page
}

// pagesOf lists all pages of a sound file.
func pagesOf(tb testing.TB, data []byte) (all []pageAt, meta *format.FileMetaData) {
	tb.Helper()
	f := openedBytes(tb, data, nil)
	meta = wholeMeta(tb, f)
	for g := range meta.RowGroups {
		for c := range meta.RowGroups[g].Columns {
			m := &meta.RowGroups[g].Columns[c].MetaData
			at := int(m.DataPageOffset)
			if m.DictionaryPageOffset > 0 {
				at = min(at, int(m.DictionaryPageOffset))
			}
			for end, k := at+int(m.TotalCompressedSize), 0; at < end; k++ {
				length, err := vet(data[at:end])
				if err != nil {
					tb.Fatal(err)
				}
				h, err := decode[format.PageHeader](data[at : at+length])
				if err != nil {
					tb.Fatal(err)
				}
				next := at + length + int(h.CompressedPageSize)
				all = append(all, pageAt{g, c, k, h, at, at + length, next})
				at = next
			}
		}
	}
	return all, meta
}

// wholeMeta is all that a footer says.
func wholeMeta(tb testing.TB, f *File) *format.FileMetaData {
	tb.Helper()
	meta, err := decode[format.FileMetaData](f.meta.buf)
	if err != nil {
		tb.Fatal(err)
	}
	return meta
}

// rebuild writes a file again. It calls edit, which may change the header and
// return another body, for every page, and footer, which may be nil, at the
// end. A page that had a checksum gets the right one of its new body.
func rebuild(tb testing.TB, data []byte, edit func(p *pageAt, body []byte) []byte, footer func(*format.FileMetaData)) []byte {
	tb.Helper()
	all, meta := pagesOf(tb, data)
	out := []byte(magic)
	for i := range all {
		p := &all[i]
		m := &meta.RowGroups[p.group].Columns[p.column].MetaData
		dictionary := p.header.Type == format.DictionaryPage
		if p.page == 0 {
			m.DictionaryPageOffset, m.DataPageOffset, m.TotalCompressedSize = 0, 0, 0
		}
		switch {
		case dictionary:
			m.DictionaryPageOffset = int64(len(out))
		case m.DataPageOffset == 0:
			m.DataPageOffset = int64(len(out))
		}
		body := edit(p, bytes.Clone(data[p.body:p.end]))
		if p.header.CRC != 0 {
			p.header.CRC = int32(crc32.ChecksumIEEE(body))
		}
		before := len(out)
		out = append(append(out, marshal(tb, p.header)...), body...)
		m.TotalCompressedSize += int64(len(out) - before)
	}
	if footer != nil {
		footer(meta)
	}
	return tail(out, marshal(tb, meta))
}

func marshal(tb testing.TB, v any) []byte {
	tb.Helper()
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// keep changes nothing of a page.
func keep(_ *pageAt, body []byte) []byte { return body }

// footerOf returns where a file's footer begins.
func footerOf(data []byte) int {
	return len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
}
