package pages

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// Cursor reads one flat column of one row group from front to back.
type Cursor struct {
	chunk  *chunk
	group  int
	rows   int64  // not read yet
	left   int64  // values of the current page not read yet
	bare   int64  // values that are null, and not what they are in
	padded bool   // the current page may have padding behind its values
	open   bool   // the current page was not found to end where its values do
	rep    hybrid // lists only
	def    hybrid
	levels []uint8
	ints   source[int64]
	floats source[float64]
	texts  source[[]byte]
	wides  source[wide]
	wide   []wide
	booked int64 // until Close
	texted int64 // of that, for texts
}

// Cursor returns a cursor of a column that is readable and no list. Close must
// be called on it.
func (f *File) Cursor(g int, c *Column) (*Cursor, error) {
	if !c.Readable() || c.List {
		return nil, &FormatError{g, c.Path, fmt.Errorf("of type %s, which is not read as a flat column", c.Type)}
	}
	ch, err := f.chunk(g, c)
	if err != nil {
		return nil, wrap(g, c, err)
	}
	return &Cursor{chunk: ch, group: g, rows: f.GroupRows(g)}, nil
}

// wrap adds the place to an error, unless it is about memory.
func wrap(g int, c *Column, err error) error {
	if errors.Is(err, ErrLimit) {
		return fmt.Errorf("row group %d, column %q: %w", g, c.Path, err)
	}
	return &FormatError{g, c.Path, err}
}

// Close returns the cursor's buffers to the budget.
func (c *Cursor) Close() {
	if c.chunk != nil {
		c.chunk.budget.Give(c.booked)
		c.chunk.close()
		c.chunk = nil
	}
}

// Next fills b with the next rows, n of them or what is left of the row group,
// and returns how many; io.EOF when none are left.
func (c *Cursor) Next(b *Block, n int) (int, error) {
	if c.rows == 0 {
		return 0, io.EOF
	}
	n = int(min(int64(n), c.rows))
	if err := c.chunk.src.guard(func() error { return c.fill(b, n) }); err != nil {
		return 0, wrap(c.group, c.chunk.column, err)
	}
	c.rows -= int64(n)
	return n, nil
}

func (c *Cursor) fill(b *Block, n int) (err error) {
	defer rescue(&err)
	b.reset(c.chunk.column, n)
	for at := 0; at < n; {
		if c.left == 0 {
			if err := c.nextPage(); err != nil {
				return err
			}
		}
		m := int(min(int64(n-at), c.left))
		if err := c.read(b, at, at+m); err != nil {
			return err
		}
		c.left -= int64(m)
		at += m
		if err := c.ends(); err != nil {
			return err
		}
	}
	return nil
}

// ends checks the end of the page, and of the chunk, where they are reached.
func (c *Cursor) ends() error {
	if c.left > 0 {
		return nil
	}
	if err := c.endPage(); err != nil || c.chunk.left > 0 {
		return err
	}
	return c.endChunk()
}

// nextPage moves to the next page.
func (c *Cursor) nextPage() error {
	p, err := c.chunk.next()
	if err != nil {
		return err
	}
	c.left, c.open, c.rep, c.def = p.values, true, p.rep, p.def
	c.padded = c.chunk.isPadded(p.data.cur)
	return c.sources(p)
}

// plainDictionary is the older name of the encoding RLE_DICTIONARY in data
// pages, and of PLAIN in dictionary pages.
const plainDictionary = 2

// sources begins the stream of a page's values, one of the four.
func (c *Cursor) sources(p *page) (err error) {
	column, dict := c.chunk.column, c.chunk.dict
	indexes := p.encoding == format.RLEDictionary || p.encoding == plainDictionary
	if indexes && dict == nil {
		return damaged("a page of dictionary indices without a dictionary")
	}
	if indexes && len(p.data.cur) > 0 {
		c.chunk.indexed, c.chunk.indexBits = true, max(c.chunk.indexBits, int(p.data.cur[0]))
	}
	limits := c.chunk.limits
	switch store := column.store(); {
	case store == storeFloats && indexes:
		c.floats, err = newIndexed(dict, dict.floats, limits.floats, p.data.cur)
	case store == storeFloats:
		c.floats, err = newFloats(column, p.encoding, p.data)
		c.floats = limited(limits, c.floats, limits.floats)
	case store == storeTexts && indexes:
		c.texts, err = newIndexed(dict, dict.texts, limits.texts, p.data.cur)
	case store == storeTexts:
		c.texts, err = newTexts(column, p.encoding, p.data.cur)
		c.texts = limited(limits, c.texts, limits.texts)
	case store == storeWides && indexes:
		c.wides, err = newIndexed(dict, dict.wides, limits.wides, p.data.cur)
	case store == storeWides:
		c.wides, err = newWides(column, p.encoding, p.data.cur)
		c.wides = limited(limits, c.wides, limits.wides)
	case indexes:
		c.ints, err = newIndexed(dict, dict.ints, limits.ints, p.data.cur)
	default:
		c.ints, err = newInts(column, p.encoding, p.data)
		c.ints = limited(limits, c.ints, limits.ints)
	}
	return err
}

// read fills rows [from, to) of b, which are within the current page.
func (c *Cursor) read(b *Block, from, to int) error {
	null := b.Null[from:to]
	clear(null)
	present, err := c.present(null)
	if err != nil {
		return err
	}
	b.Nulls += len(null) - present
	c.chunk.present += int64(present)
	if present == len(b.Null) && b.View {
		if ok, err := c.view(b); ok || err != nil {
			return err
		}
	}
	switch {
	case c.floats != nil:
		return readSpread(c.floats, b.Float[from:to], present, null)
	case c.texts != nil:
		if err := c.readTexts(b, b.Text[from:from+present]); err != nil {
			return err
		}
		spread(b.Text[from:to], present, null)
		return nil
	case c.wides != nil:
		c.wide = resize(c.wide, to-from)
		if err := readSpread(c.wides, c.wide, present, null); err != nil {
			return err
		}
		b.keepWides(c.chunk.column, from, c.wide)
		return nil
	default:
		return readSpread(c.ints, b.Int[from:to], present, null)
	}
}

// present reads the definition levels of rows, marks the nulls, and returns how
// many rows have a value.
func (c *Cursor) present(null []bool) (int, error) {
	top, present := c.chunk.column.maxDef, len(null)
	if top == 0 {
		return present, nil
	}
	c.levels = resize(c.levels, len(null))
	if err := readHybrid(&c.def, c.levels); err != nil {
		return 0, err
	}
	if allEqual(c.levels, top) {
		return present, nil
	}
	for i, level := range c.levels {
		if int(level) > top {
			return 0, damaged("definition level %d of %d", level, top)
		}
		if int(level) < top {
			null[i] = true
			present--
			if int(level) == top-1 {
				c.bare++
			}
		}
	}
	return present, nil
}

// viewer is a source that may have values at hand.
type viewer[T any] interface {
	view(n int) ([]T, bool)
}

// view lets all of b's values be where they are in the page, if it can; there
// are no nulls.
func (c *Cursor) view(b *Block) (bool, error) {
	if c.floats != nil {
		v, ok, err := viewOf(c.floats, len(b.Null))
		if ok {
			b.Float = v
		}
		return ok, err
	}
	if c.ints == nil {
		return false, nil
	}
	v, ok, err := viewOf(c.ints, len(b.Null))
	if ok {
		b.Int = v
	}
	return ok, err
}

// readSpread reads the values that are present and moves them to their rows;
// the rows of nulls hold the zero value.
func readSpread[T any](src source[T], dst []T, present int, null []bool) error {
	if err := src.read(dst[:present]); err != nil {
		return err
	}
	spread(dst, present, null)
	return nil
}
