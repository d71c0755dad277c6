package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

const (
	maxSchemaDepth = 32
	maxLeaves      = 1 << 15 // Parquet numbers columns by 16-bit signed integers
)

// readSchema flattens a footer's schema to its leaves. Their names are booked:
// a group's name is in the name of every column below it.
func readSchema(elements []format.SchemaElement, book func(int64) error) ([]*Column, error) {
	s := schemaReader{elements: elements, book: book}
	if len(elements) == 0 {
		return nil, damaged("empty")
	}
	s.next = 1
	if err := s.children(&elements[0], node{}, 0); err != nil {
		return nil, err
	}
	if s.next != len(elements) {
		return nil, damaged("%d elements, of which the root reaches %d", len(elements), s.next)
	}
	return s.leaves, nil
}

type schemaReader struct {
	elements []format.SchemaElement
	next     int
	leaves   []*Column
	book     func(int64) error
}

// node is what a column inherits from the groups above it.
type node struct {
	path     []string
	short    []string // path without the groups that only make a list
	rep, def int
	itemDef  []int
	list     listForm
	maps     int // names of path down to the outermost map; 0 where there is none
}

// listForm says what the group above an element is of a list.
type listForm int

const (
	noList listForm = iota
	inList          // annotated LIST: a repeated child is the list itself
	inItem          // the repeated group of a list in three levels: its child is the item
)

func (s *schemaReader) children(parent *format.SchemaElement, above node, depth int) error {
	n := parent.NumChildren.V
	if !parent.NumChildren.Valid || n < 0 || int(n) > len(s.elements)-s.next {
		return damaged("group %q claims %d children of %d elements left", parent.Name, n, len(s.elements)-s.next)
	}
	if depth >= maxSchemaDepth {
		return &MendError{damaged("groups nested deeper than %d", maxSchemaDepth), "write the log without the columns that are nested so deeply"}
	}
	for range n {
		if s.next >= len(s.elements) {
			return damaged("fewer elements than the groups claim")
		}
		if err := s.element(above, depth); err != nil {
			return err
		}
	}
	return nil
}

// element reads the next element and what is below it.
func (s *schemaReader) element(above node, depth int) error {
	e := &s.elements[s.next]
	s.next++
	here, err := above.below(e)
	if err != nil {
		return err
	}
	if e.NumChildren.Valid && e.NumChildren.V > 0 || !e.Type.Valid {
		return s.children(e, here, depth+1)
	}
	if len(s.leaves) == maxLeaves {
		return damaged("more than %d columns", maxLeaves)
	}
	if err := s.book(here.bytes()); err != nil {
		return fmt.Errorf("names of %d columns: %w", len(s.leaves)+1, err)
	}
	s.leaves = append(s.leaves, newColumn(e, here, len(s.leaves)))
	return nil
}

// bytes is what a column's names take.
func (n node) bytes() int64 {
	size := 0
	for _, name := range n.path {
		size += 2*(len(name)+1) + 16 // in Path, in short, and one of parents
	}
	return int64(size)
}

// below is what the element e below n has of n.
func (n node) below(e *format.SchemaElement) (node, error) {
	here := node{path: append(slices.Clip(n.path), e.Name), short: n.short, rep: n.rep, def: n.def, itemDef: n.itemDef, maps: n.maps}
	repeated := false
	if !e.RepetitionType.Valid {
		return here, damaged("column %q does not say whether it is required, optional or repeated", e.Name)
	}
	if err := agree(e); err != nil {
		return here, fmt.Errorf("column %q: %w", e.Name, err)
	}
	switch e.RepetitionType.V {
	case format.Required:
	case format.Optional:
		here.def++
	case format.Repeated:
		repeated = true
		here.rep, here.def = here.rep+1, here.def+1
		here.itemDef = append(slices.Clip(n.itemDef), here.def)
	default:
		return here, damaged("column %q has repetition type %d", e.Name, e.RepetitionType.V)
	}
	switch {
	case n.list == inList && repeated && n.wraps(e):
		here.list = inItem
	case n.list == inList && repeated, n.list == inItem: // the item: itself no name
	default:
		here.short = append(slices.Clip(n.short), e.Name)
	}
	if isList(e) {
		here.list = inList
	}
	if isMap(e) && here.maps == 0 {
		here.maps = len(here.path)
	}
	return here, nil
}

// wraps reports whether e, the repeated child of the list n, is no more than the
// place of an item, and not itself the item (Parquet's LogicalTypes.md, "Lists",
// backward-compatibility rules).
func (n node) wraps(e *format.SchemaElement) bool {
	return e.NumChildren.V == 1 && !isList(e) && e.Name != "array" && e.Name != n.path[len(n.path)-1]+"_tuple"
}

func isList(e *format.SchemaElement) bool {
	_, logical := e.LogicalType.Value.(*format.ListType)
	return logical || e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List
}

func isMap(e *format.SchemaElement) bool {
	_, logical := e.LogicalType.Value.(*format.MapType)
	return logical || e.ConvertedType.Valid && (e.ConvertedType.V == deprecated.Map || e.ConvertedType.V == deprecated.MapKeyValue)
}

func newColumn(e *format.SchemaElement, at node, index int) *Column {
	c := &Column{
		Path: strings.Join(at.path, "."), List: at.rep > 0, Depth: at.rep, index: index, phys: e.Type.V,
		maxRep: at.rep, maxDef: at.def, itemDef: at.itemDef, short: strings.Join(at.short, "."),
	}
	end := 0
	for _, name := range at.path[:len(at.path)-1] {
		end += len(name)
		c.parents = append(c.parents, c.Path[:end])
		end++
	}
	if at.maps > 0 && at.maps < len(at.path) {
		c.mapped = c.parents[at.maps-1]
	}
	c.Kind, c.Unit, c.Type = classify(e)
	c.logical, c.converted = e.LogicalType.Value != nil, e.ConvertedType.Valid
	c.UTC = (c.Kind == Timestamp || c.Kind == Time) && isUTC(e)
	if c.Kind == Decimal {
		c.Scale = scale(e)
	}
	if c.phys == format.FixedLenByteArray {
		c.size = int(e.TypeLength.V)
		_, c.uuid = e.LogicalType.Value.(*format.UUIDType)
	}
	switch c.Depth {
	case 0:
	case 1:
		c.Type = "list of " + c.Type
	case 2:
		c.Type = "nested lists of " + c.Type
	default:
		c.Type = fmt.Sprintf("lists nested %d deep of %s", c.Depth, c.Type)
	}
	return c
}
