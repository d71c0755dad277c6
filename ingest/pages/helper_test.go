package pages

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// testBudget is the memory that tests allow.
const testBudget = 64 << 20

// openBytes opens a file from memory.
func openBytes(data []byte, budget *Budget) (*File, error) {
	return Open(bytes.NewReader(data), int64(len(data)), budget)
}

// values are all values of a column; nil is a null. Lists are []any.
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

func groupValues(f *File, g int, c *Column, step int) ([]any, error) {
	if c.List {
		return groupLists(f, g, c, step)
	}
	cursor, err := f.Cursor(g, c)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	var all []any
	var b Block
	for {
		n, err := cursor.Next(&b, step)
		if errors.Is(err, io.EOF) && n == 0 && cursor.rows == 0 {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range n {
			all = append(all, valueOf(&b, c, i))
		}
	}
}

func valueOf(b *Block, c *Column, i int) any {
	switch {
	case b.Nulls > 0 && b.Null[i]:
		return nil
	case c.Kind == Bool:
		return b.Int[i] == 1
	case c.Kind == Float:
		return b.Float[i]
	case c.Kind == Text:
		return string(b.Text[i])
	case c.Kind == Uint:
		return uint64(b.Int[i])
	}
	return b.Int[i]
}

// listWidth is the number of values that tests keep of every list.
const listWidth = 5

func groupLists(f *File, g int, c *Column, step int) ([]any, error) {
	cursor, err := f.List(g, c, listWidth)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	var all []any
	var b Block
	for {
		n, err := cursor.Next(&b, step)
		if errors.Is(err, io.EOF) && n == 0 && cursor.rows == 0 {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range n {
			all = append(all, listOf(&b, i))
		}
	}
}

// list is what a Block says of one row's list.
type list struct {
	length int
	kept   [listWidth]float64
	holes  bool
}

func listOf(b *Block, i int) any {
	if b.Null[i] {
		return nil
	}
	l := list{length: int(b.Length[i]), holes: b.ItemNulls[i]}
	copy(l.kept[:], b.Float[i*listWidth:(i+1)*listWidth])
	return l
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
		if !c.Readable() || c.List && c.Kind != Float {
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
