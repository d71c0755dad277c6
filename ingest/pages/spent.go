package pages

import "fmt"

// What follows the values of a page says that the values are not what the
// levels and the schema take them for: a column that is said to be required
// while its pages have definition levels is read from the levels on, and ends
// before the page does. So levels, values, pages and column chunks must be used
// up. The end of each source says how; spent is asked once for every page.

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
	}
	if !c.valuesSpent() {
		return errLeft
	}
	return nil
}

// valuesSpent reports whether the values of the page, in one of the four sources, are used up.
func (c *Cursor) valuesSpent() bool {
	switch c.chunk.column.store() {
	case storeFloats:
		return c.floats.spent()
	case storeTexts:
		return c.texts.spent()
	case storeWides:
		return c.wides.spent()
	default:
		return c.ints.spent()
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
// have named any but the first. (The first pages of a writer that enlarges the
// dictionary as it goes may have indices of no bits.)
func (c *chunk) endDictionary() error {
	if c.dict != nil && c.indexed && c.indexBits == 0 && c.dict.entries > 1 {
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

func (p *plain64[T]) spent() bool   { return p.src.left() == 0 }
func (p *plainInt32) spent() bool   { return p.src.left() == 0 }
func (p *plainFloat32) spent() bool { return p.src.left() == 0 }
func (p *plainTexts) spent() bool   { return len(p.src) == 0 }
func (p *plainFixed) spent() bool   { return len(p.src) == 0 }
func (p *plainInt96) spent() bool   { return len(p.src) == 0 }
func (p *plainBools) spent() bool   { return (p.at+7)/8 == len(p.src) }

func (s *split[T]) spent() bool   { return len(s.src) == s.at*s.width }
func (s *splitFixed) spent() bool { return len(s.src) == s.at*s.size }

// spent reports whether the values that the header claims were read and nothing
// follows their last block.
func (d *delta) spent() bool { return d.left == 0 && len(d.src) == 0 }

func (s *deltaInts) spent() bool    { return s.d.spent() }
func (s *deltaLengths) spent() bool { return s.lengths.left == 0 && len(s.src) == 0 }
func (s *deltaTexts) spent() bool   { return s.prefixes.left == 0 && s.suffixes.spent() }
func (s *sameLength) spent() bool   { return s.src.spent() }
func (f *float16s) spent() bool     { return f.src.spent() }
func (d *intDecimals) spent() bool  { return d.src.spent() }
func (d *byteDecimals) spent() bool { return d.src.spent() }

func (r *rleBools) spent() bool   { return r.rest == 0 && r.bits.spent() }
func (x *indexed[T]) spent() bool { return x.indices.spent() }
func (noValues) spent() bool      { return true }
