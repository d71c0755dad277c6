package files

import (
	"io"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
)

// Constant is a column that has one value in all rows of a file: a partition of
// the file's path, or null where the file has nothing but nulls, without a type.
type Constant struct {
	Column *pages.Column // as which it is read
	null   bool
	over   bool // number leaves 64 bits on the scale of the column
	number int64
	text   []byte
}

// Null is the constant of a column in which every value is null.
func Null(c *pages.Column) *Constant { return &Constant{Column: c, null: true} }

// Scale brings the constant to an axis, as scaled does with the values of a
// file.
func (c *Constant) Scale(a *cell.Axis) {
	shown, number, fits := a.Number(c.Column, c.number)
	c.Column, c.number, c.over = shown, number, !fits && !c.null
}

// Cursor reads rows of the constant; a list keeps width values per row.
func (c *Constant) Cursor(rows int64, width int) cell.Cursor {
	return &constantCursor{Constant: *c, left: rows, width: width}
}

type constantCursor struct {
	Constant
	left  int64
	width int
}

var _ cell.Cursor = (*constantCursor)(nil)

// Next fills b with the next rows, n of them or what is left.
func (c *constantCursor) Next(b *pages.Block, n int) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n = int(min(int64(n), c.left))
	c.left -= int64(n)
	b.Nulls, b.Overs, b.Null = 0, 0, cell.Resize(b.Null, n)
	fill(b.Null, c.null)
	if c.null {
		b.Nulls = n
	}
	if c.Column.List {
		c.lists(b, n)
		return n, nil
	}
	switch c.Column.Kind {
	case pages.Text:
		b.Text = cell.Resize(b.Text, n)
		fill(b.Text, c.text)
	case pages.Float:
		b.Float = cell.Resize(b.Float, n)
		clear(b.Float)
	default:
		c.numbers(b, n)
	}
	return n, nil
}

// numbers makes every row the number, which a decimal has as a float too.
func (c *constantCursor) numbers(b *pages.Block, n int) {
	b.Int = cell.Resize(b.Int, n)
	fill(b.Int, c.number)
	if c.Column.Kind == pages.Decimal {
		b.Float = cell.Resize(b.Float, n)
		fill(b.Float, float64(c.number)/math.Pow10(c.Column.Scale))
	}
	if c.over {
		b.Over, b.Overs = cell.Resize(b.Over, n), n
		fill(b.Over, true)
	}
}

// lists makes every row a list that is absent; no other list is constant.
func (c *constantCursor) lists(b *pages.Block, n int) {
	b.Width = c.width
	b.Length, b.ItemNulls = cell.Resize(b.Length, n), cell.Resize(b.ItemNulls, n)
	clear(b.Length)
	clear(b.ItemNulls)
	b.Float, b.Int, b.Text = cell.Resize(b.Float, n*c.width), cell.Resize(b.Int, n*c.width), cell.Resize(b.Text, n*c.width)
	clear(b.Float)
	clear(b.Int)
	clear(b.Text)
}

// Close does nothing: a constant holds no buffers.
func (*constantCursor) Close() {}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}
