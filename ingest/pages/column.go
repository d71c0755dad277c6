package pages

import (
	"fmt"
	"strings"

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
	Timestamp             // Block.Int, in units of Unit since 1970-01-01 00:00; INT96 has Block.Over
	Date                  // Block.Int: days since 1970-01-01
	Decimal               // Block.Float: the nearest; Block.Int: times 10^Scale, exact unless Block.Over
	Time                  // Block.Int: time of day, in units of Unit
	Null                  // logical type UNKNOWN: every value is null
)

// Unit is the unit of a Timestamp or Time.
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
	Path  string // dotted
	Type  string // physical and logical type, in words
	Kind  Kind
	Unit  Unit
	UTC   bool // of a Timestamp or Time: of an instant; otherwise of a clock somewhere
	Scale int  // of a Decimal: digits after the point
	List  bool // Depth > 0
	Depth int  // 0 flat; 1 a list, read with File.List; 2 a list of lists, read with File.Nested

	index     int // among the leaves
	phys      format.Type
	size      int  // bytes of a fixed-length byte array
	logical   bool // the type is the logical one
	converted bool // there is a converted type
	uuid      bool // the text is made of 16 bytes
	maxRep    int
	maxDef    int
	itemDef   []int // by level of repetition: definition level at which the list has an item
	parents   []string
	short     string // Path without what stands for the lists themselves
	mapped    string // path of the outermost map that it is the key or a value of, or ""
}

// Readable reports whether the column can be read by File.Cursor, File.List or
// File.Nested, by its Depth: its kind is not Other, and it repeats at no more
// than two levels.
func (c *Column) Readable() bool {
	return c.Kind != Other && c.maxRep <= 2
}

// store is the slice of a Block that a column's values are decoded to.
type store int

const (
	storeInts store = iota
	storeFloats
	storeTexts
	storeWides // Int with Over; of Decimal also Float
)

func (c *Column) store() store {
	switch {
	case c.Kind == Decimal || c.phys == format.Int96:
		return storeWides
	case c.Kind == Float:
		return storeFloats
	case c.Kind == Text:
		return storeTexts
	}
	return storeInts
}

// Column returns the column with the given name: a top-level column, a list by
// the name of the field that holds it, or a field of a struct by dotted path, in
// which the names that only make a list ("list.element", "bag.array_element",
// "array") may be left out.
// A name that stands for a struct of several columns is not a column. Where two
// columns have the name, the error wraps ErrTwice, otherwise ErrNoColumn; of a
// group it is a *GroupError.
func (f *File) Column(name string) (*Column, error) {
	pair := f.names[name]
	found, c := pair[0], pair[1]
	switch {
	case found == nil:
		return nil, fmt.Errorf("%q: %w", name, ErrNoColumn)
	case c == nil:
		return found, nil
	case found.Path == c.Path || found.Path == name || c.Path == name:
		return nil, fmt.Errorf("%q: %w", name, ErrTwice)
	}
	return nil, &GroupError{Name: name, First: found.short, Second: c.short, Map: found.mapped != "" && (found.mapped == name || strings.HasPrefix(name, found.mapped+"."))}
}

// Name is the shortest name by which Column returns a column: of a list, the name of the
// field that holds it, where no other column has it.
func (f *File) Name(c *Column) string {
	parts := strings.Split(c.Path, ".")
	for n := 1; n < len(parts) && c.List; n++ {
		name := strings.Join(parts[:n], ".")
		if found, err := f.Column(name); err == nil && found == c {
			return name
		}
	}
	return c.Path
}

// nameBytes is about what a name takes in the map of names.
const nameBytes = 96

// index makes the map of names, whose memory is booked.
func (f *File) index() error {
	count := int64(0)
	for _, c := range f.columns {
		count += int64(len(c.names()))
	}
	if err := f.book(count * nameBytes); err != nil {
		return fmt.Errorf("names of columns: %w", err)
	}
	f.names = make(map[string][2]*Column, len(f.columns))
	for _, c := range f.columns {
		for _, name := range c.names() {
			pair := f.names[name]
			if pair[0] == nil {
				pair[0] = c
			} else if pair[1] == nil && pair[0] != c {
				pair[1] = c
			}
			f.names[name] = pair
		}
	}
	return nil
}

// names lists the names by which File.Column finds a column.
func (c *Column) names() []string {
	if !c.List {
		return []string{c.Path}
	}
	return append([]string{c.Path, c.short}, c.parents...)
}
