package pages

import (
	"bytes"
	"fmt"
)

// What follows the values of a page says that the values are not what the
// levels and the schema take them for: a column that is said to be required
// while its pages have definition levels is read from the levels on, and ends
// before the page does. So levels, values, pages and column chunks must be used
// up. Each source says what it has left, once for every page.

// errLeft is the error of a page that goes on behind its last value.
var errLeft = damaged("bytes are left after the last value of a page: its values are not of the type, or as many, as the footer says")

// endPage checks that the page that was read has nothing left.
func (c *Cursor) endPage() error {
	if !c.open {
		return nil
	}
	c.open = false
	if column := c.chunk.column; column.maxRep > 0 && !c.rep.spent() || column.maxDef > 0 && !c.def.spent() {
		return damaged("bytes are left after the levels of a page: they are not as many as the page claims")
	} else if column.maxRep == 0 && column.maxDef > 0 && !c.def.zeros() { // lists: DuckDB fills up otherwise
		return damaged("levels other than 0 are left after the last of a page: a run of them has another length than it was written with")
	}
	if rest := c.valuesLeft(); rest == 0 || c.padded && rest == padding {
		return nil
	}
	return errLeft
}

// padding is the number of zero bytes that fastparquet writes behind the values of a page.
const padding = 8

// isPadded reports whether the bytes of a page end in fastparquet's padding. No
// other writer's pages may.
func (c *chunk) isPadded(data []byte) bool {
	return c.file.meta.pads && len(data) >= padding && bytes.Equal(data[len(data)-padding:], make([]byte, padding))
}

// valuesLeft is rest of the one of the four sources that the column has.
func (c *Cursor) valuesLeft() int {
	switch c.chunk.column.store() {
	case storeFloats:
		return c.floats.rest()
	case storeTexts:
		return c.texts.rest()
	case storeWides:
		return c.wides.rest()
	default:
		return c.ints.rest()
	}
}

// endChunk checks that the column chunk has no bytes left but of pages without
// values, and that it was as its statistics say.
func (c *Cursor) endChunk() error {
	for {
		buf, err := c.chunk.src.peek(1)
		if len(buf) == 0 {
			if err != nil && !isEnd(err) {
				return err
			}
			break
		}
		p, err := c.chunk.anyPage()
		if err != nil {
			return fmt.Errorf("after the last value: %w", err)
		}
		if p != nil && p.values > 0 {
			return damaged("a page of %d values after the last that the footer claims", p.values)
		}
	}
	if err := c.chunk.endDictionary(); err != nil {
		return err
	}
	return c.chunk.endNulls(c.bare)
}

// endNulls holds the values that are null against the statistics. Of a column
// in lists or structs, some writers count all that are not there, and some only
// items that are null, and not the lists that are, or have none.
func (c *chunk) endNulls(bare int64) error {
	nulls := c.read - c.present
	if c.limits.nulls < 0 || c.limits.nulls == nulls || c.column.maxDef > 1 && c.limits.nulls == bare {
		return nil
	}
	return damaged("%d of %d values are null, where the statistics of the column chunk say %d", nulls, c.read, c.limits.nulls)
}

// endDictionary refuses a dictionary of several entries of which no page can
// have named any but the first, where the statistics have more than one value.
// (Polars writes all categories of an Enum, of which rows may have the first
// only; and the first pages of a writer that enlarges the dictionary as it goes
// may have indices of no bits.)
func (c *chunk) endDictionary() error {
	if c.dict != nil && c.indexed && c.indexBits == 0 && c.dict.entries > 1 && c.limits.several(c.column) {
		return damaged("a dictionary of %d entries, and indices of 0 bits in every page", c.dict.entries)
	}
	return nil
}

// spent reports whether all runs were read. What pads the last run of packed
// values is no run, and a run of no values is none either: parquet-go writes one
// where a page has nothing but nulls.
func (h *hybrid) spent() bool {
	src := h.src
	for len(src) > 0 && src[0] < 2 {
		size := 1
		if src[0] == 0 {
			size += (h.width + 7) / 8
		}
		src = src[min(size, len(src)):]
	}
	return len(src) == 0
}

// zeros reads what is left of the current run, and reports whether it is 0: with zeros
// writers fill up the last eight packed levels.
func (h *hybrid) zeros() bool {
	if h.run > 0 {
		return h.value == 0
	}
	var left [8]uint32
	for ; h.at < h.count; h.at += uint64(len(left)) {
		n := min(uint64(len(left)), h.count-h.at)
		if unpack(left[:n], h.packed, h.at, h.width); left != [8]uint32{} {
			return false
		}
	}
	return true
}

// rest returns the bytes that are left, -1 where values are.
func (p *plain64[T]) rest() int   { return int(p.src.left()) } //nolint:gosec // of a page
func (p *plainInt32) rest() int   { return int(p.src.left()) } //nolint:gosec // of a page
func (p *plainFloat32) rest() int { return int(p.src.left()) } //nolint:gosec // of a page
func (p *plainTexts) rest() int   { return len(p.src) }
func (p *plainFixed) rest() int   { return len(p.src) }
func (p *plainInt96) rest() int   { return len(p.src) }
func (p *plainBools) rest() int   { return len(p.src) - (p.at+7)/8 }
func (s *split[T]) rest() int     { return len(s.src) - s.at*s.width }
func (s *splitFixed) rest() int   { return len(s.src) - s.at*s.size }

// rest also wants the values that the header claims to be read.
func (d *delta) rest() int { return restOf(d.left == 0, len(d.src)) }

func (s *deltaInts) rest() int    { return s.d.rest() }
func (s *deltaLengths) rest() int { return restOf(s.lengths.left == 0, len(s.src)) }
func (s *deltaTexts) rest() int   { return restOf(s.prefixes.left == 0, s.suffixes.rest()) }
func (s *sameLength) rest() int   { return s.src.rest() }
func (f *float16s) rest() int     { return f.src.rest() }
func (d *intDecimals) rest() int  { return d.src.rest() }
func (d *byteDecimals) rest() int { return d.src.rest() }
func (r *rleBools) rest() int     { return restOf(r.bits.spent(), r.behind) }
func (x *indexed[T]) rest() int   { return restOf(x.indices.spent(), 0) }
func (noValues) rest() int        { return 0 }

func restOf(read bool, left int) int {
	if read {
		return left
	}
	return -1
}
