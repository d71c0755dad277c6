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
	data     stream // in one slice, unless the encoding is PLAIN and the width fixed
}

// page interprets a page by its type; nil for pages without values of rows.
func (c *chunk) page(h *format.PageHeader, raw []byte) (*page, error) {
	others := 0
	for _, has := range []bool{h.DataPageHeader.Valid, h.IndexPageHeader.Valid, h.DictionaryPageHeader.Valid, h.DataPageHeaderV2.Valid} {
		if has {
			others++
		}
	}
	switch {
	case others != 1:
		return nil, damaged("a page with %d headers of kinds of pages", others)
	case c.codec == format.Uncompressed && h.UncompressedPageSize != h.CompressedPageSize:
		return nil, damaged("a page of %d bytes, inflated %d, that is not compressed", h.CompressedPageSize, h.UncompressedPageSize)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		return c.pageV1(h, raw)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		return c.pageV2(h, raw)
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		return nil, c.readDictionary(h, raw)
	case h.Type == format.IndexPage && h.IndexPageHeader.Valid:
		return nil, nil //nolint:nilnil // an index page has no values of rows
	}
	return nil, damaged("a page of type %d with the header of another", h.Type)
}

// mostInflation is how many times its size a page plausibly becomes. Beyond it,
// a page that memory does not allow is a bomb: damage, and no reason to ask for
// more memory. Writers make pages of a megabyte or so; one that is larger than
// all memory and nothing but repetition is none of theirs.
const mostInflation = 200

// inflated returns raw decompressed into buf.
func (c *chunk) inflated(buf *buffer, raw []byte, size int) ([]byte, error) {
	if c.codec == format.Uncompressed {
		return raw, nil
	}
	body, err := buf.grow(size)
	if err != nil && size/mostInflation > len(raw) {
		return nil, damaged("a page of %d bytes that is to become %d, which memory does not allow and no log needs: more than %d times its size", len(raw), size, mostInflation)
	}
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
	if c.codec == format.Uncompressed && !c.src.lasting() {
		if body, err = c.dictBody.grow(len(raw)); err != nil {
			return err
		}
		copy(body, raw)
	}
	c.dict, c.dictCost, err = newDictionary(c.column, head.Encoding, int(head.NumValues), body, c.budget)
	if err != nil || !c.limits.low.known && !c.limits.high.known {
		return err
	}
	cost, err := c.dict.limit(c.column, c.limits, c.budget)
	c.dictCost += cost
	return err
}

func (c *chunk) pageV1(h *format.PageHeader, raw []byte) (*page, error) {
	head := &h.DataPageHeader.V
	p := &page{values: int64(head.NumValues), encoding: head.Encoding}
	if p.values < 0 {
		return nil, damaged("a page of %d values", p.values)
	}
	var err error
	if p.data, err = c.values(raw, int(h.UncompressedPageSize), head.Encoding); err != nil {
		return nil, err
	}
	if c.column.maxRep > 0 {
		if p.rep, err = c.levelsV1(&p.data, &c.levels[0], head.RepetitionLevelEncoding, c.column.maxRep); err != nil {
			return nil, err
		}
	}
	if c.column.maxDef > 0 {
		if p.def, err = c.levelsV1(&p.data, &c.levels[1], head.DefinitionLevelEncoding, c.column.maxDef); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// values returns the inflated bytes of a page, or a part of it. They stay in
// pieces where the values can be read of pieces.
func (c *chunk) values(raw []byte, size int, e format.Encoding) (stream, error) {
	if c.codec == format.Snappy && e == format.Plain && c.column.inPieces() && !c.file.meta.pads {
		if pieces := snappyPieces(raw, size, c.pieces); pieces != nil {
			c.pieces = pieces
			return stream{src: raw, rest: pieces}, nil
		}
	}
	body, err := c.inflated(&c.body, raw, size)
	return stream{cur: body}, err
}

// inPieces reports whether PLAIN values of the column are read by the sources
// that do not need them in one slice.
func (c *Column) inPieces() bool {
	switch c.Kind {
	case Int, Uint, Float, Timestamp, Date:
		return c.phys == format.Int32 || c.phys == format.Int64 || c.phys == format.Float || c.phys == format.Double
	default:
		return false
	}
}

// levelsV1 cuts levels, which their length precedes, off a page's body.
func (c *chunk) levelsV1(body *stream, own *buffer, e format.Encoding, highest int) (levels hybrid, err error) {
	if e != format.RLE {
		return levels, fmt.Errorf("levels in encoding %v, which is not read", e)
	}
	var length [4]byte
	if !body.read(length[:]) {
		return levels, errValues
	}
	n := uint64(binary.LittleEndian.Uint32(length[:]))
	if len(body.cur) == 0 {
		body.next()
	}
	if n <= uint64(len(body.cur)) {
		levels = newHybrid(body.cur[:n], levelBits(highest))
		body.cur = body.cur[n:]
		return levels, nil
	}
	if left := body.left(); n > left {
		return levels, damaged("levels of %d bytes where %d are left", n, left)
	}
	packed, err := own.grow(int(n)) //nolint:gosec // no more than the body has
	if err != nil {
		return levels, fmt.Errorf("levels of %d bytes: %w", n, err)
	}
	body.read(packed)
	return newHybrid(packed, levelBits(highest)), nil
}

func (c *chunk) pageV2(h *format.PageHeader, raw []byte) (*page, error) {
	head := &h.DataPageHeaderV2.V
	reps, defs := int64(head.RepetitionLevelsByteLength), int64(head.DefinitionLevelsByteLength)
	if reps < 0 || defs < 0 || head.NumValues < 0 || reps+defs > int64(len(raw)) || reps+defs > int64(h.UncompressedPageSize) {
		return nil, damaged("a page of %d bytes with %d values and levels of %d and %d bytes", len(raw), head.NumValues, reps, defs)
	}
	if c.column.maxRep == 0 && reps > 0 || c.column.maxDef == 0 && defs > 0 {
		return nil, damaged("a page with levels of %d and %d bytes, of a column that has none", reps, defs)
	}
	p := &page{values: int64(head.NumValues), encoding: head.Encoding, data: stream{cur: raw[reps+defs:]}}
	p.rep = newHybrid(raw[:reps], levelBits(c.column.maxRep))
	p.def = newHybrid(raw[reps:reps+defs], levelBits(c.column.maxDef))
	packed := !head.IsCompressed.Valid || head.IsCompressed.V
	if !packed && int(h.UncompressedPageSize) != len(raw) {
		return nil, damaged("a page of %d bytes, inflated %d, that is not compressed", len(raw), h.UncompressedPageSize)
	}
	if packed {
		var err error
		if p.data, err = c.values(p.data.cur, int(int64(h.UncompressedPageSize)-reps-defs), head.Encoding); err != nil {
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
