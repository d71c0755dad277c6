package pages

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// Every byte of a file belongs to a column chunk, to a page index, to a bloom
// filter or to the footer, or to nothing: parquet-mr pads row groups with
// zeros, and older writers put the metadata of a chunk behind it. Two files one
// after the other end in one footer, whose places then mean the first one's
// bytes. So column chunks may not overlap, and what belongs to nothing may not
// hold another file.

// span is a range of bytes.
type span struct{ from, to int64 }

// spanBytes is what a span takes.
const spanBytes = 16

// cover collects the spans of a footer.
type cover struct {
	chunks []span // of column chunks
	others []span
	far    bool // a column chunk is in another file
	cost   int64
	book   func(int64) error
}

// errSecond is the error of a file that holds another.
var errSecond = errors.New("the file holds a second Parquet file, as two files one after the other do; keep them as two files")

// checkCover checks what the bytes of the file belong to.
func (f *File) checkCover() error {
	c := cover{book: f.book}
	defer func() { f.release(c.cost) }()
	for g := range f.meta.groups {
		if f.meta.groups[g].rows == 0 { // writers leave offsets that point nowhere
			continue
		}
		for i := range f.meta.groups[g].chunks {
			if err := c.chunk(f, f.meta.place(g, i)); err != nil {
				return err
			}
		}
	}
	if c.far {
		return nil
	}
	slices.SortFunc(c.chunks, bySpan)
	for i := 1; i < len(c.chunks); i++ {
		if c.chunks[i].from < c.chunks[i-1].to {
			return damaged("two column chunks have bytes %d to %d", c.chunks[i].from, min(c.chunks[i].to, c.chunks[i-1].to)-1)
		}
	}
	return f.checkGaps(append(c.chunks, c.others...))
}

func bySpan(a, b span) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
}

// place is where a column chunk, and what goes with it, is in the file.
type place struct {
	far                      bool // in another file
	data, dict, size         int64
	offsetIndex, columnIndex span
	bloom                    span // without a known end, to is 0
}

// Fields of ColumnChunk and ColumnMetaData.
const (
	fieldFilePath     = 1
	fieldOffsetIndex  = 4
	fieldColumnIndex  = 6
	fieldTotalSize    = 7
	fieldData         = 9
	fieldDictionary   = 11
	fieldBloom        = 14
	fieldBloomLength  = 15
	fieldsBesideIndex = 1 // the length's number follows the offset's
)

// place reads where a column chunk is; the footer was vetted.
func (m *footer) place(g, index int) (p place) {
	w := walker{vetter: vetter{buf: m.buf, pos: int(m.groups[g].chunks[index])}}
	_ = w.fields(func(id, typ int) (bool, error) {
		switch id {
		case fieldFilePath:
			p.far = true
		case fieldOffsetIndex:
			return true, w.number(&p.offsetIndex.from)
		case fieldOffsetIndex + fieldsBesideIndex:
			return true, w.number(&p.offsetIndex.to)
		case fieldColumnIndex:
			return true, w.number(&p.columnIndex.from)
		case fieldColumnIndex + fieldsBesideIndex:
			return true, w.number(&p.columnIndex.to)
		case fieldMetaData:
			if typ == thriftStruct {
				return true, w.pages(&p)
			}
		}
		return false, nil
	})
	p.offsetIndex.to += p.offsetIndex.from
	p.columnIndex.to += p.columnIndex.from
	if p.bloom.to > 0 {
		p.bloom.to += p.bloom.from
	}
	return p
}

// pages reads the places of ColumnMetaData.
func (w *walker) pages(p *place) error {
	return w.fields(func(id, _ int) (bool, error) {
		switch id {
		case fieldTotalSize:
			return true, w.number(&p.size)
		case fieldData:
			return true, w.number(&p.data)
		case fieldDictionary:
			return true, w.number(&p.dict)
		case fieldBloom:
			return true, w.number(&p.bloom.from)
		case fieldBloomLength:
			return true, w.number(&p.bloom.to)
		}
		return false, nil
	})
}

// chunk notes what belongs to a column chunk.
func (c *cover) chunk(f *File, p place) error {
	if p.far {
		c.far = true
		return nil
	}
	pages, err := f.pagesAt(p)
	if err == nil {
		err = c.add(&c.chunks, pages)
	}
	for _, s := range []span{p.offsetIndex, p.columnIndex, f.bloomAt(p.bloom)} {
		if err == nil && s.from > 0 && s.to > s.from && s.to <= f.size {
			err = c.add(&c.others, s)
		}
	}
	return err
}

// pagesAt is the span of a column chunk's pages.
func (f *File) pagesAt(p place) (span, error) {
	start := p.data
	if p.dict > 0 && p.dict < start {
		start = p.dict
	}
	if end := f.footerAt; start < int64(len(magic)) || p.size < 0 || start > end || p.size > end-start {
		return span{}, damaged("%d bytes of pages at %d of a file of %d", p.size, start, f.size)
	}
	return span{start, start + p.size}, nil
}

// add notes a span; spans that meet become one.
func (c *cover) add(to *[]span, s span) error {
	if n := len(*to); n > 0 && (*to)[n-1].to == s.from {
		(*to)[n-1].to = s.to
		return nil
	}
	if len(*to) == cap(*to) {
		more := int64(spanBytes * max(64, cap(*to)))
		if err := c.book(more); err != nil {
			return fmt.Errorf("places of column chunks: %w", err)
		}
		c.cost += more
		*to = slices.Grow(*to, max(64, cap(*to)))
	}
	*to = append(*to, s)
	return nil
}

// bloomHeaderBytes hold the header of a bloom filter, which is a few numbers.
const bloomHeaderBytes = 64

// bloomAt is the span of a bloom filter, whose header says how long it is where
// the footer does not.
func (f *File) bloomAt(s span) span {
	if s.from <= 0 || s.to > 0 || s.from >= f.size {
		return s
	}
	buf := make([]byte, min(bloomHeaderBytes, f.size-s.from))
	if _, err := f.r.ReadAt(buf, s.from); err != nil && !errors.Is(err, io.EOF) {
		return s
	}
	length, err := vet(buf)
	if err != nil {
		return s
	}
	h, err := decode[format.BloomFilterHeader](buf[:length])
	if err != nil || h.NumBytes < 0 {
		return s
	}
	return span{s.from, s.from + int64(length) + int64(h.NumBytes)}
}

// checkGaps looks for another file in the bytes that belong to nothing.
func (f *File) checkGaps(spans []span) error {
	slices.SortFunc(spans, bySpan)
	at := int64(len(magic))
	for _, s := range append(spans, span{f.footerAt, f.footerAt}) {
		if s.from-at >= int64(len(magic)) {
			if err := f.checkGap(span{at, s.from}); err != nil {
				return err
			}
		}
		at = max(at, s.to)
	}
	return nil
}

// gapBytes are looked at together.
const gapBytes = 64 << 10

func (f *File) checkGap(gap span) error {
	buf := make([]byte, min(gapBytes, gap.to-gap.from))
	for at := gap.from; gap.to-at >= int64(len(magic)); {
		part := buf[:min(int64(len(buf)), gap.to-at)]
		if _, err := f.r.ReadAt(part, at); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading %d bytes that belong to no column: %w", len(part), err)
		}
		for from := 0; ; {
			i := bytes.Index(part[from:], []byte(magic))
			if i < 0 {
				break
			}
			from += i + len(magic)
			if f.endsFile(at+int64(from)) || f.beginsFile(at+int64(from), gap.to) {
				return errSecond
			}
		}
		at += int64(len(part) - len(magic) + 1)
	}
	return nil
}

// endsFile reports whether a file ends at a place, behind its magic: a footer and its length come before.
func (f *File) endsFile(at int64) bool {
	var tail [4]byte
	end := at - int64(len(magic)+len(tail))
	if end < int64(len(magic)) {
		return false
	}
	if _, err := f.r.ReadAt(tail[:], end); err != nil {
		return false
	}
	size := int64(binary.LittleEndian.Uint32(tail[:]))
	if size < 2 || size > end-int64(len(magic)) {
		return false
	}
	prefix := make([]byte, min(size, prefixBytes))
	if _, err := f.r.ReadAt(prefix, end-size); err != nil {
		return false
	}
	length, err := vetPrefix(prefix, size)
	return err == nil && int64(length) == size || errors.Is(err, errShort) && size > prefixBytes
}

// beginsFile reports whether a file begins before a place, with its magic: a page
// follows, or the zeros that bring the first one to a block of a file system.
func (f *File) beginsFile(at, end int64) bool {
	buf := make([]byte, min(prefixBytes, end-at))
	if _, err := f.r.ReadAt(buf, at); err != nil {
		return false
	}
	if len(buf) >= padding && bytes.Equal(buf[:padding], make([]byte, padding)) {
		return true
	}
	length, err := vetAs(f.layouts.page, buf)
	if err != nil {
		return false
	}
	h, err := decode[format.PageHeader](buf[:length])
	return err == nil && h.CompressedPageSize >= 0 && h.UncompressedPageSize >= 0
}
