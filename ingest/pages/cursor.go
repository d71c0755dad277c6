package pages

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// Block is a number of consecutive values of one column. The cursor that fills
// it uses its slices again at the next call.
type Block struct {
	Int   []int64   // of Bool, Int, Uint, Timestamp and Date columns
	Float []float64 // of Float columns; of lists, Width values per row
	Text  [][]byte  // of Text columns

	Nulls int    // rows that are null
	Null  []bool // by row; meaningful when Nulls > 0

	// Of lists only:
	Width     int     // values kept per row
	Length    []int32 // by row: values that the row's list has; 0 of a null
	ItemNulls []bool  // by row: a value within the list is null

	arena []byte
}

// maxText bounds the bytes of the texts of one block.
const maxText = 64 << 20

// Cursor reads one flat column of one row group from front to back.
type Cursor struct {
	chunk  *chunk
	group  int
	rows   int64  // not read yet
	left   int64  // values of the current page not read yet
	rep    hybrid // lists only
	def    hybrid
	levels []uint8
	ints   source[int64]
	floats source[float64]
	texts  source[[]byte]
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
	if err := c.fill(b, n); err != nil {
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
	}
	return nil
}

// reset makes room for n rows.
func (b *Block) reset(c *Column, n int) {
	b.Nulls, b.arena = 0, b.arena[:0]
	b.Null = resize(b.Null, n)
	switch c.phys {
	case format.Float, format.Double:
		b.Float = resize(b.Float, n)
	case format.ByteArray:
		b.Text = resize(b.Text, n)
	default:
		b.Int = resize(b.Int, n)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// nextPage moves to the next page.
func (c *Cursor) nextPage() error {
	p, err := c.chunk.next()
	if err != nil {
		return err
	}
	c.left, c.rep, c.def = p.values, p.rep, p.def
	c.ints, c.floats, c.texts, err = c.chunk.sources(p)
	return err
}

// plainDictionary is the older name of the encoding RLE_DICTIONARY in data
// pages, and of PLAIN in dictionary pages.
const plainDictionary = 2

// sources returns the stream of a page's values, one of the three.
func (c *chunk) sources(p *page) (ints source[int64], floats source[float64], texts source[[]byte], err error) {
	indexes := p.encoding == format.RLEDictionary || p.encoding == plainDictionary
	if indexes && c.dict == nil {
		return nil, nil, nil, damaged("a page of dictionary indices without a dictionary")
	}
	switch c.column.phys {
	case format.Float, format.Double:
		if indexes {
			floats, err = newIndexed(c.dict.floats, p.data)
		} else {
			floats, err = newFloats(c.column, p.encoding, p.data)
		}
	case format.ByteArray:
		if indexes {
			texts, err = newIndexed(c.dict.texts, p.data)
		} else {
			texts, err = newTexts(c.column, p.encoding, p.data)
		}
	default:
		if indexes {
			ints, err = newIndexed(c.dict.ints, p.data)
		} else {
			ints, err = newInts(c.column, p.encoding, p.data)
		}
	}
	return ints, floats, texts, err
}

// read fills rows [from, to) of b, which are within the current page.
func (c *Cursor) read(b *Block, from, to int) error {
	present := to - from
	null := b.Null[from:to]
	clear(null)
	if top := c.chunk.column.maxDef; top > 0 {
		c.levels = resize(c.levels, to-from)
		if err := readHybrid(&c.def, c.levels); err != nil {
			return err
		}
		for i, level := range c.levels {
			if int(level) > top {
				return damaged("definition level %d of %d", level, top)
			}
			if int(level) < top {
				null[i] = true
				present--
			}
		}
	}
	b.Nulls += len(null) - present
	switch {
	case c.floats != nil:
		return readSpread(c.floats, b.Float[from:to], present, null)
	case c.texts != nil:
		if err := readSpread(c.texts, b.Text[from:to], present, null); err != nil {
			return err
		}
		return b.keepTexts(from, to)
	default:
		return readSpread(c.ints, b.Int[from:to], present, null)
	}
}

// readSpread reads the values that are present and moves them to their rows;
// the rows of nulls hold the zero value.
func readSpread[T any](src source[T], dst []T, present int, null []bool) error {
	if err := src.read(dst[:present]); err != nil {
		return err
	}
	if present == len(dst) {
		return nil
	}
	var zero T
	for i := len(dst) - 1; i >= 0; i-- {
		if null[i] {
			dst[i] = zero
		} else {
			present--
			dst[i] = dst[present]
		}
	}
	return nil
}

// keepTexts copies texts out of the page's buffer, which the next page uses
// again.
func (b *Block) keepTexts(from, to int) error {
	for i := from; i < to; i++ {
		text := b.Text[i]
		if len(b.arena)+len(text) > maxText {
			return fmt.Errorf("texts of more than %d bytes in %d rows: %w", maxText, len(b.Text), ErrLimit)
		}
		start := len(b.arena)
		b.arena = append(b.arena, text...)
		b.Text[i] = b.arena[start:len(b.arena):len(b.arena)]
	}
	return nil
}
