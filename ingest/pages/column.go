package pages

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// Kind says which values a column has once it is decoded.
type Kind int

// The kinds.
const (
	Other     Kind = iota // a type that is not read; Type names it
	Bool                  // Block.Int: 0 or 1
	Int                   // Block.Int
	Uint                  // Block.Int: the low 64 bits
	Float                 // Block.Float
	Text                  // Block.Text
	Timestamp             // Block.Int, in units of Unit
	Date                  // Block.Int: days since 1970-01-01
	Decimal               // not read yet; Type names precision and scale
)

// Unit is the unit of a Timestamp.
type Unit int

// The units.
const (
	NoUnit Unit = iota
	Millisecond
	Microsecond
	Nanosecond
)

// Column is a leaf of a file's schema.
type Column struct {
	Path string // dotted
	Type string // physical and logical type, in words
	Kind Kind
	Unit Unit
	UTC  bool // of a Timestamp: an instant; otherwise the time of a clock somewhere
	List bool // one level of repetition; read it with File.List

	index   int // among the leaves
	phys    format.Type
	maxRep  int
	maxDef  int
	itemDef int // definition level at which a list has an item
	parents []string
}

// Readable reports whether a cursor can read the column: its kind is not Other
// or Decimal, and it repeats at no more than one level.
func (c *Column) Readable() bool {
	return c.Kind != Other && c.Kind != Decimal && c.maxRep <= 1
}

// Column returns the column with the given name: a top-level column, a list by
// the name of the field that holds it, or a field of a struct by dotted path.
// A name that stands for a struct of several columns is not a column. Where two
// columns have the name, the error wraps ErrTwice, otherwise ErrNoColumn.
func (f *File) Column(name string) (*Column, error) {
	var found *Column
	for _, c := range f.columns {
		if !c.named(name) {
			continue
		}
		if found != nil && (found.Path == c.Path || found.Path == name || c.Path == name) {
			return nil, fmt.Errorf("%q: %w", name, ErrTwice)
		}
		if found != nil {
			return nil, fmt.Errorf("%q is a group of several columns, such as %q and %q: %w", name, found.Path, c.Path, ErrNoColumn)
		}
		found = c
	}
	if found == nil {
		return nil, fmt.Errorf("%q: %w", name, ErrNoColumn)
	}
	return found, nil
}

func (c *Column) named(name string) bool {
	if c.Path == name {
		return true
	}
	for _, p := range c.parents {
		if c.List && p == name {
			return true
		}
	}
	return false
}
