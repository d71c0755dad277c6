package pages

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// page is a data page: levels and values as streams.
type page struct {
	values   int64 // with nulls
	rep, def hybrid
	encoding format.Encoding
	data     []byte
}

// page interprets a page by its type; nil for pages without values of rows.
func (c *chunk) page(h *format.PageHeader, raw []byte) (*page, error) {
	switch h.Type {
	case format.DataPage:
		if !h.DataPageHeader.Valid {
			return nil, damaged("a data page without its header")
		}
		return c.pageV1(h, raw)
	case format.DataPageV2:
		if !h.DataPageHeaderV2.Valid {
			return nil, damaged("a data page (version 2) without its header")
		}
		return c.pageV2(h, raw)
	case format.DictionaryPage:
		if !h.DictionaryPageHeader.Valid {
			return nil, damaged("a dictionary page without its header")
		}
		return nil, c.readDictionary(h, raw)
	case format.IndexPage:
		return nil, nil //nolint:nilnil // an index page has no values of rows
	default:
		return nil, damaged("a page of type %d", h.Type)
	}
}

// inflated returns raw decompressed into buf.
func (c *chunk) inflated(buf *buffer, raw []byte, size int) ([]byte, error) {
	if c.codec == format.Uncompressed {
		return raw, nil
	}
	body, err := buf.grow(size)
	if err != nil {
		return nil, fmt.Errorf("a page of %d bytes: %w", size, err)
	}
	if err := c.codecs.inflate(c.codec, body, raw); err != nil {
		return nil, fmt.Errorf("%v: %w", c.codec, err)
	}
	return body, nil
}

func (c *chunk) readDictionary(h *format.PageHeader, raw []byte) error {
	head := &h.DictionaryPageHeader.V
	if c.dict != nil {
		return damaged("a second dictionary")
	}
	if head.NumValues < 0 {
		return damaged("a dictionary of %d values", head.NumValues)
	}
	body, err := c.inflated(&c.dictBody, raw, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	if c.codec == format.Uncompressed { // raw will be used again
		if body, err = c.dictBody.grow(len(raw)); err != nil {
			return err
		}
		copy(body, raw)
	}
	c.dict, c.dictCost, err = newDictionary(c.column, head.Encoding, int(head.NumValues), body, c.budget)
	return err
}

func (c *chunk) pageV1(h *format.PageHeader, raw []byte) (*page, error) {
	head := &h.DataPageHeader.V
	body, err := c.inflated(&c.body, raw, int(h.UncompressedPageSize))
	if err != nil {
		return nil, err
	}
	p := &page{values: int64(head.NumValues), encoding: head.Encoding}
	if p.values < 0 {
		return nil, damaged("a page of %d values", p.values)
	}
	if c.column.maxRep > 0 {
		if p.rep, body, err = levelsV1(body, head.RepetitionLevelEncoding, c.column.maxRep); err != nil {
			return nil, err
		}
	}
	if c.column.maxDef > 0 {
		if p.def, body, err = levelsV1(body, head.DefinitionLevelEncoding, c.column.maxDef); err != nil {
			return nil, err
		}
	}
	p.data = body
	return p, nil
}

// levelsV1 cuts levels, which their length precedes, off a page's body.
func levelsV1(body []byte, e format.Encoding, highest int) (levels hybrid, rest []byte, err error) {
	if e != format.RLE {
		return levels, nil, fmt.Errorf("levels in encoding %v, which is not read", e)
	}
	if len(body) < 4 {
		return levels, nil, errValues
	}
	n, rest := uint64(binary.LittleEndian.Uint32(body)), body[4:]
	if n > uint64(len(rest)) {
		return levels, nil, damaged("levels of %d bytes where %d are left", n, len(rest))
	}
	return newHybrid(rest[:n], levelBits(highest)), rest[n:], nil
}

func (c *chunk) pageV2(h *format.PageHeader, raw []byte) (*page, error) {
	head := &h.DataPageHeaderV2.V
	reps, defs := int64(head.RepetitionLevelsByteLength), int64(head.DefinitionLevelsByteLength)
	if reps < 0 || defs < 0 || head.NumValues < 0 || reps+defs > int64(len(raw)) || reps+defs > int64(h.UncompressedPageSize) {
		return nil, damaged("a page of %d bytes with %d values and levels of %d and %d bytes", len(raw), head.NumValues, reps, defs)
	}
	p := &page{values: int64(head.NumValues), encoding: head.Encoding, data: raw[reps+defs:]}
	p.rep = newHybrid(raw[:reps], levelBits(c.column.maxRep))
	p.def = newHybrid(raw[reps:reps+defs], levelBits(c.column.maxDef))
	if !head.IsCompressed.Valid || head.IsCompressed.V {
		var err error
		if p.data, err = c.inflated(&c.body, p.data, int(int64(h.UncompressedPageSize)-reps-defs)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// levelBits is the number of bits of levels up to highest.
func levelBits(highest int) int {
	n := 0
	for highest>>n != 0 {
		n++
	}
	return n
}
