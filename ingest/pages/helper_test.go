package pages

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// testBudget is the memory that tests allow.
const testBudget = 64 << 20

// openBytes opens a file from memory.
func openBytes(data []byte, budget *Budget) (*File, error) {
	return Open(bytes.NewReader(data), int64(len(data)), budget)
}

// openedBytes is the file that data is.
func openedBytes(tb interface{ Fatal(...any) }, data []byte, budget *Budget) *File {
	out, err := openBytes(data, budget)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// columnOf is a column that a file has.
func columnOf(tb interface{ Fatal(...any) }, f *File, name string) *Column {
	out, err := f.Column(name)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// values are all values of a column; nil is a null.
func values(f *File, c *Column, step int) ([]any, error) {
	var all []any
	for g := range f.Groups() {
		group, err := groupValues(f, g, c, step)
		if err != nil {
			return nil, err
		}
		all = append(all, group...)
	}
	return all, nil
}

// rowCursor is what the two cursors have in common.
type rowCursor interface {
	Next(b *Block, n int) (int, error)
	Close()
}

// What tests keep of lists, and of lists of lists: less than some have, more
// than others.
const (
	listWidth   = 5
	nestedOuter = 2
	nestedInner = 3
)

func openCursor(f *File, g int, c *Column) (rowCursor, error) {
	switch c.Depth {
	case 0:
		return f.Cursor(g, c)
	case 1:
		return f.List(g, c, listWidth)
	}
	return f.Nested(g, c, nestedOuter, nestedInner)
}

func groupValues(f *File, g int, c *Column, step int) ([]any, error) {
	cursor, err := openCursor(f, g, c)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	var all []any
	b := usedBlock()
	for {
		n, err := cursor.Next(b, step)
		if errors.Is(err, io.EOF) && n == 0 && int64(len(all)) == f.GroupRows(g) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range n {
			all = append(all, rowOf(b, c, i))
		}
	}
}

// usedBlock is a block as another column may have left it.
func usedBlock() *Block {
	const n = 1 << 10
	b := &Block{
		Int: make([]int64, n), Float: make([]float64, n), Text: make([][]byte, n), Null: make([]bool, n), Over: make([]bool, n),
		Length: make([]int32, n), Inner: make([]int32, n), ItemNulls: make([]bool, n), Nulls: 3, Overs: 4, Width: 77, arena: []byte("stale"),
	}
	for i := range n {
		b.Int[i], b.Float[i], b.Text[i], b.Null[i], b.Over[i], b.Length[i], b.Inner[i], b.ItemNulls[i] = 99, 99, []byte("stale"), true, true, 99, 99, true
	}
	return b
}

func rowOf(b *Block, c *Column, i int) any {
	switch {
	case b.Nulls > 0 && b.Null[i]:
		return nil
	case c.Depth == 0:
		return valueOf(b, c, i)
	}
	l := list{length: int(b.Length[i]), inner: int(b.Inner[i]), holes: b.ItemNulls[i]}
	for k := range b.Width {
		l.kept = append(l.kept, valueOf(b, c, i*b.Width+k))
	}
	return l
}

// list is what a Block says of one row's list.
type list struct {
	length, inner int
	kept          []any
	holes         bool
}

// number is a decimal.
type number struct {
	value    float64
	unscaled int64
	over     bool
	scale    int
}

// tooLarge is a timestamp that int64 cannot hold.
type tooLarge struct{}

func valueOf(b *Block, c *Column, i int) any {
	over := b.Overs > 0 && b.Over[i]
	switch {
	case c.Kind == Bool:
		return b.Int[i] == 1
	case c.Kind == Float:
		return b.Float[i]
	case c.Kind == Text:
		return string(b.Text[i])
	case c.Kind == Uint:
		return uint64(b.Int[i])
	case c.Kind == Decimal:
		return number{b.Float[i], b.Int[i], over, c.Scale}
	case over:
		return tooLarge{}
	}
	return b.Int[i]
}

// zeroOf is what a Block has where a list has no value.
func zeroOf(c *Column) any {
	switch c.Kind {
	case Bool:
		return false
	case Float:
		return 0.0
	case Text:
		return ""
	case Uint:
		return uint64(0)
	case Decimal:
		return number{scale: c.Scale}
	default:
		return int64(0)
	}
}

// readAll reads every readable column of a file, and reports whether it read
// to the end.
func readAll(data []byte, budget *Budget) error {
	f, err := openBytes(data, budget)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, c := range f.Columns() {
		if !c.Readable() {
			continue
		}
		for g := range f.Groups() {
			if f.GroupRows(g) > 1<<16 {
				return errors.New("too many rows for a test")
			}
			if _, err := groupValues(f, g, c, 100); err != nil {
				return err
			}
		}
	}
	return nil
}

// noLeak checks that everything that was booked was given back.
func noLeak(tb testing.TB, b *Budget) {
	tb.Helper()
	if b.Used() != 0 {
		tb.Errorf("%d bytes are still booked", b.Used())
	}
}

// pathOf is the path of the leaf of a schema of one column.
func pathOf(schema []format.SchemaElement) (path []string) {
	for _, e := range schema[1:] {
		path = append(path, e.Name)
	}
	return path
}
