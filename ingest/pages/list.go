package pages

import (
	"fmt"
	"io"
	"math"
)

// ListCursor reads one list column of one row group from front to back.
type ListCursor struct {
	Cursor
	width   int
	entries entries
}

// entries are levels and values read ahead of the rows.
type entries struct {
	rep, def []uint8
	values   []float64 // of the entries that have one, in order
	at, next int       // entry, and value, to be read next
}

// entryBlock is the number of entries read ahead.
const entryBlock = 4096

// List returns a cursor of a readable list of floats or doubles that keeps the
// first width values of every row. Close must be called on it.
func (f *File) List(g int, c *Column, width int) (*ListCursor, error) {
	if !c.Readable() || !c.List || c.Kind != Float {
		return nil, &FormatError{g, c.Path, fmt.Errorf("of type %s, which is not read as a list of numbers", c.Type)}
	}
	ch, err := f.chunk(g, c)
	if err != nil {
		return nil, wrap(g, c, err)
	}
	return &ListCursor{Cursor: Cursor{chunk: ch, group: g, rows: f.GroupRows(g)}, width: width}, nil
}

// Next fills b with the next rows, n of them or what is left of the row group,
// and returns how many; io.EOF when none are left. Lists of another length
// than the width are cut, or filled with zeros; their Length says so.
func (c *ListCursor) Next(b *Block, n int) (int, error) {
	if c.rows == 0 {
		return 0, io.EOF
	}
	n = int(min(int64(n), c.rows))
	if err := c.fill(b, n); err != nil {
		return 0, wrap(c.group, c.chunk.column, err)
	}
	return n, nil
}

func (c *ListCursor) fill(b *Block, n int) (err error) {
	defer rescue(&err)
	b.resetLists(n, c.width)
	for i := range n {
		if err := c.row(b, i); err != nil {
			return err
		}
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
	return err
}

func (b *Block) resetLists(n, width int) {
	b.Nulls, b.Width = 0, width
	b.Null, b.ItemNulls, b.Length = resize(b.Null, n), resize(b.ItemNulls, n), resize(b.Length, n)
	b.Float = resize(b.Float, n*width)
	clear(b.Null)
	clear(b.ItemNulls)
	clear(b.Length)
	clear(b.Float)
}

// row reads the entries of one row.
func (c *ListCursor) row(b *Block, i int) error {
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
	kept := b.Float[i*c.width : (i+1)*c.width]
	for first := true; ; first = false {
		if !first {
			if more, err = c.more(); err != nil {
				return err
			}
			if !more || e.rep[e.at] == 0 {
				return nil
			}
		}
		if err := c.entry(b, i, kept); err != nil {
			return err
		}
	}
}

// entry reads one entry of row i.
func (c *ListCursor) entry(b *Block, i int, kept []float64) error {
	e, column := &c.entries, c.chunk.column
	def := int(e.def[e.at])
	e.at++
	if def < column.itemDef { // an empty list, or, below that, none
		if def < column.itemDef-1 {
			b.Null[i] = true
			b.Nulls++
		}
		return nil
	}
	if b.Length[i] == math.MaxInt32 {
		return damaged("a list of more than %d values", math.MaxInt32)
	}
	at := int(b.Length[i])
	b.Length[i]++
	if def < column.maxDef {
		b.ItemNulls[i] = true
		return nil
	}
	if at < len(kept) {
		kept[at] = e.values[e.next]
	}
	e.next++
	return nil
}

// more reads ahead if it must, and reports whether there is an entry.
func (c *ListCursor) more() (bool, error) {
	e := &c.entries
	if e.at < len(e.rep) {
		return true, nil
	}
	if c.left == 0 {
		if c.chunk.left == 0 {
			return false, nil
		}
		if err := c.nextPage(); err != nil {
			return false, err
		}
	}
	return true, c.readAhead(int(min(c.left, entryBlock)))
}

func (c *ListCursor) readAhead(n int) error {
	e, column := &c.entries, c.chunk.column
	e.rep, e.def, e.at, e.next = resize(e.rep, n), resize(e.def, n), 0, 0
	if err := readHybrid(&c.rep, e.rep); err != nil {
		return err
	}
	if err := readHybrid(&c.def, e.def); err != nil {
		return err
	}
	present := 0
	for i := range e.rep {
		if int(e.rep[i]) > column.maxRep || int(e.def[i]) > column.maxDef {
			return damaged("levels %d and %d, of %d and %d", e.rep[i], e.def[i], column.maxRep, column.maxDef)
		}
		if int(e.def[i]) == column.maxDef {
			present++
		}
		if e.rep[i] > 0 && int(e.def[i]) < column.itemDef {
			return damaged("an absent value within a list")
		}
	}
	e.values = resize(e.values, present)
	c.left -= int64(n)
	return c.floats.read(e.values)
}
