package pages

import (
	"fmt"
	"io"
)

// ListCursor reads one list column, of lists or of lists of lists, of one row
// group from front to back.
type ListCursor struct {
	Cursor
	outer   int // lists of lists: inner lists kept per row; otherwise 1
	inner   int // items kept per innermost list
	entries entries
	pattern []uint8 // repetition levels of rows of full lists
	row     assembly
	values  int64 // bytes that the values of a block take, booked
}

// assembly is where the row that is being read stands.
type assembly struct {
	items  int64 // of the row, with empty lists and nulls
	none   bool  // its list is null or has no items
	open   bool  // the innermost list may have more items
	base   int   // where the innermost list begins in the block
	room   int   // items of it that are kept
	filled int64 // items of it that were read
}

// List returns a cursor of a readable column of Depth 1 that keeps the first
// width values of every row, for all kinds in the slice that flat columns have
// them in. Close must be called on it.
func (f *File) List(g int, c *Column, width int) (*ListCursor, error) {
	if !c.Readable() || c.maxRep != 1 {
		return nil, &FormatError{g, c.Path, fmt.Errorf("of type %s, which is not read as a list", c.Type)}
	}
	return f.list(g, c, 1, width)
}

// Nested returns a cursor of a readable column of Depth 2 that keeps of every
// row the first inner values of the first outer lists, row-major: value j of
// list k is at k·inner+j of the row's outer·inner. Close must be called on it.
func (f *File) Nested(g int, c *Column, outer, inner int) (*ListCursor, error) {
	if !c.Readable() || c.maxRep != 2 {
		return nil, &FormatError{g, c.Path, fmt.Errorf("of type %s, which is not read as a list of lists", c.Type)}
	}
	return f.list(g, c, outer, inner)
}

func (f *File) list(g int, c *Column, outer, inner int) (*ListCursor, error) {
	if outer < 0 || inner < 0 || inner > 0 && outer > maxKept/inner {
		return nil, fmt.Errorf("column %q: %d times %d values kept of every row, of at most %d: %w", c.Path, outer, inner, maxKept, ErrLimit)
	}
	ch, err := f.chunk(g, c)
	if err != nil {
		return nil, wrap(g, c, err)
	}
	return &ListCursor{Cursor: Cursor{chunk: ch, group: g, rows: f.GroupRows(g)}, outer: outer, inner: inner}, nil
}

const (
	// maxKept bounds the values of one row that are kept.
	maxKept = 1 << 22
	// maxItems bounds the entries of one row: a few bytes can claim thousands of
	// millions.
	maxItems = 1 << 22
)

// Next fills b with the next rows, n of them or what is left of the row group,
// and returns how many; io.EOF when none are left. Lists of another length
// than the width are cut, or filled with zeros; their Length, and Inner, says
// so. What the values of n rows take in memory is booked in the budget until
// Close.
func (c *ListCursor) Next(b *Block, n int) (int, error) {
	if c.rows == 0 {
		return 0, io.EOF
	}
	n = int(min(int64(n), c.rows))
	if err := c.chunk.src.guard(func() error { return c.fill(b, n) }); err != nil {
		return 0, wrap(c.group, c.chunk.column, err)
	}
	return n, nil
}

func (c *ListCursor) fill(b *Block, n int) (err error) {
	defer rescue(&err)
	if err := c.reset(b, n); err != nil {
		return err
	}
	for i := 0; i < n; {
		rows, err := c.runs(b, i, n-i)
		if err == nil && rows == 0 {
			rows, err = 1, c.one(b, i)
		}
		if err != nil {
			return err
		}
		i += rows
	}
	c.rows -= int64(n)
	if c.rows > 0 {
		return nil
	}
	return c.end()
}

// end checks that no entries follow the last row.
func (c *ListCursor) end() error {
	more, err := c.more()
	if err == nil && more {
		return damaged("more rows than the row group has")
	}
	if err != nil {
		return err
	}
	return c.endChunk()
}

// reset makes room for n rows.
func (c *ListCursor) reset(b *Block, n int) error {
	width := c.outer * c.inner
	if size := int64(n) * int64(width) * valueBytes; size > c.values {
		if err := c.book(size - c.values); err != nil {
			return fmt.Errorf("%d values of each of %d rows: %w", width, n, err)
		}
		c.values = size
	}
	b.Nulls, b.Width = 0, width
	b.room(c.chunk.column, n*width)
	b.Null, b.ItemNulls, b.Length, b.Inner = resize(b.Null, n), resize(b.ItemNulls, n), resize(b.Length, n), resize(b.Inner, n)
	clear(b.Null)
	clear(b.ItemNulls)
	clear(b.Length)
	clear(b.Inner)
	return nil
}

// clearRow makes all values of row i zero.
func (c *ListCursor) clearRow(b *Block, i int) {
	from, to := i*b.Width, (i+1)*b.Width
	switch column := c.chunk.column; column.store() {
	case storeInts:
		clear(b.Int[from:to])
	case storeFloats:
		clear(b.Float[from:to])
	case storeTexts:
		clear(b.Text[from:to])
	case storeWides:
		clear(b.Int[from:to])
		clear(b.Over[from:to])
		if column.Kind == Decimal {
			clear(b.Float[from:to])
		}
	}
}

// valueBytes is what the largest value of a block takes, a text or a decimal.
const valueBytes = 24

// one reads the entries of row i.
func (c *ListCursor) one(b *Block, i int) error {
	more, err := c.more()
	if err != nil {
		return err
	}
	if !more {
		return fmt.Errorf("the pages end before the last %d rows: %w", c.rows-int64(i), io.ErrUnexpectedEOF)
	}
	e := &c.entries
	if e.rep[e.at] != 0 {
		return damaged("the first row begins within a list")
	}
	c.row = assembly{}
	c.clearRow(b, i)
	for {
		if c.row.items > maxItems {
			return fmt.Errorf("a row with a list of more than %d values, which is not read", maxItems)
		}
		if err = c.entry(b, i); err != nil {
			return err
		}
		if more, err = c.more(); err != nil {
			return err
		}
		if !more || e.rep[e.at] == 0 {
			c.endList(b, i)
			return nil
		}
	}
}

// entry reads one entry of row i, and those after it that need no other care.
func (c *ListCursor) entry(b *Block, i int) error {
	e, column := &c.entries, c.chunk.column
	c.row.items++
	rep, def := int(e.rep[e.at]), int(e.def[e.at])
	first, last := column.itemDef[0], column.itemDef[column.maxRep-1]
	switch {
	case def < first:
		return c.absent(b, i, rep > 0, def < first-1)
	case c.row.none:
		return errNoItems
	case rep < column.maxRep:
		c.beginList(b, i, rep)
	case def < last && c.row.open:
		return errAbsent
	case def >= last && !c.row.open:
		return errNoItems
	}
	if def < last { // an empty inner list, or, below that, none
		c.row.open = false
		if def < last-1 {
			b.Inner[i] = -1
		}
		e.at++
		return nil
	}
	return c.items(b, i, def == column.maxDef)
}

// absent reads the entry of an empty list of row i, or of no list. DuckDB 2.0
// writes several of a null DOUBLE[3], as many as there would be items.
func (c *ListCursor) absent(b *Block, i int, goesOn, null bool) error {
	if goesOn && !c.row.none {
		return errAbsent
	}
	if null && !b.Null[i] {
		b.Null[i] = true
		b.Nulls++
	}
	c.row.none = true
	c.entries.at++
	return nil
}
