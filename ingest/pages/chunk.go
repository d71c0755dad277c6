package pages

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// chunk reads the pages of one column chunk.
type chunk struct {
	column *Column
	codec  format.CompressionCodec
	src    *input
	file   *File
	left   int64 // values that the footer claims and no page has delivered
	budget *Budget
	*workset

	dict      *dictionary
	dictCost  int64
	indexed   bool // a page has indices into the dictionary
	indexBits int  // the most that a page has for an index

	limits  *limits
	read    int64 // values of the pages that were read, with nulls
	present int64 // of those, how many are not null
}

func (f *File) chunk(g int, c *Column) (*chunk, error) {
	meta, err := f.meta.column(g, c.index)
	if err != nil {
		return nil, err
	}
	m := &meta.MetaData
	switch {
	case meta.FilePath != "":
		return nil, errors.New("its pages are in another file, which is not read")
	case m.Type != c.phys:
		return nil, damaged("pages of type %s where the schema has %s", m.Type, c.phys)
	case !f.meta.hasPath(g, c):
		return nil, damaged("pages of a column of another name, %q", strings.Join(m.PathInSchema, "."))
	case m.NumValues < 0 || c.maxRep == 0 && m.NumValues != f.GroupRows(g) || f.GroupRows(g) == 0 && m.NumValues != 0:
		return nil, damaged("%d values in a row group of %d rows", m.NumValues, f.GroupRows(g))
	}
	if err = knownCodec(m.Codec); err != nil {
		return nil, err
	}
	pages, err := f.pages(g, m)
	if err != nil {
		return nil, err
	}
	src, err := f.newInput(pages)
	if err != nil {
		return nil, err
	}
	return &chunk{
		column: c, codec: m.Codec, src: src, file: f, left: m.NumValues, budget: f.budget, limits: f.limits(g, c), workset: f.workset(c),
	}, nil
}

// pages returns the bytes of a column chunk's pages; none of a row group
// without rows, for which writers leave offsets that point nowhere.
func (f *File) pages(g int, m *format.ColumnMetaData) (*io.SectionReader, error) {
	if f.GroupRows(g) == 0 {
		return io.NewSectionReader(f.r, 0, 0), nil
	}
	at, err := f.pagesAt(place{data: m.DataPageOffset, dict: m.DictionaryPageOffset, size: m.TotalCompressedSize})
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f.r, at.from, at.to-at.from), nil
}

// close returns what the chunk has booked; its buffers are kept for the column's
// next chunk.
func (c *chunk) close() {
	c.src.close(c.budget)
	c.budget.Give(c.dictCost)
	c.dictCost = 0
	c.file.spares.put(c.column.index, c.workset)
	c.workset = nil
}

// next returns the next data page with values. The caller asks only while
// left > 0.
func (c *chunk) next() (*page, error) {
	for {
		p, err := c.anyPage()
		if err != nil {
			return nil, err
		}
		if p != nil && p.values > 0 {
			if p.values > c.left {
				return nil, damaged("a page of %d values where %d are left", p.values, c.left)
			}
			c.left -= p.values
			c.read += p.values
			return p, nil
		}
	}
}

// anyPage returns the next page; nil where it is no data page.
func (c *chunk) anyPage() (*page, error) {
	h, err := c.header()
	if err != nil {
		return nil, fmt.Errorf("page header: %w", err)
	}
	raw, err := c.src.take(int(h.CompressedPageSize))
	if err != nil {
		return nil, err
	}
	if h.CRC != 0 && crc32.ChecksumIEEE(raw) != uint32(h.CRC) { //nolint:gosec // the bits
		return nil, damaged("a page does not have the checksum that it carries")
	}
	return c.page(h, raw)
}

// header reads and vets the next page header.
func (c *chunk) header() (*format.PageHeader, error) {
	for size := 256; ; size *= 4 {
		buf, err := c.src.peek(min(size, readBytes))
		if len(buf) == 0 {
			return nil, fmt.Errorf("the pages end before their %d last values: %w", c.left, io.ErrUnexpectedEOF)
		}
		length, verr := vetAs(c.file.layouts.page, buf)
		if errors.Is(verr, errShort) && err == nil && size < readBytes {
			continue
		}
		if verr != nil {
			if err != nil && !isEnd(err) {
				return nil, err
			}
			return nil, verr
		}
		h, derr := decode[format.PageHeader](buf[:length])
		if derr != nil {
			return nil, derr
		}
		if err := c.src.discard(length); err != nil {
			return nil, err
		}
		if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 {
			return nil, damaged("a page of %d bytes, inflated %d", h.CompressedPageSize, h.UncompressedPageSize)
		}
		return h, nil
	}
}
