package pages

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

const (
	maxSchemaDepth = 32
	maxLeaves      = 1 << 15 // Parquet numbers columns by 16-bit signed integers
)

// readSchema flattens a footer's schema to its leaves.
func readSchema(elements []format.SchemaElement) ([]*Column, error) {
	s := schemaReader{elements: elements}
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
}

// node is what a column inherits from the groups above it.
type node struct {
	path             []string
	rep, def, itemAt int
}

func (s *schemaReader) children(parent *format.SchemaElement, above node, depth int) error {
	n := parent.NumChildren.V
	if !parent.NumChildren.Valid || n < 0 || int(n) > len(s.elements)-s.next {
		return damaged("group %q claims %d children of %d elements left", parent.Name, n, len(s.elements)-s.next)
	}
	if depth >= maxSchemaDepth {
		return damaged("groups nested deeper than %d", maxSchemaDepth)
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
	here := node{path: append(slices.Clip(above.path), e.Name), rep: above.rep, def: above.def, itemAt: above.itemAt}
	switch e.RepetitionType.V {
	case format.Required:
	case format.Optional:
		here.def++
	case format.Repeated:
		here.rep, here.def = here.rep+1, here.def+1
		here.itemAt = here.def
	default:
		return damaged("column %q has repetition type %d", e.Name, e.RepetitionType.V)
	}
	if e.NumChildren.Valid && e.NumChildren.V > 0 || !e.Type.Valid {
		return s.children(e, here, depth+1)
	}
	if len(s.leaves) == maxLeaves {
		return damaged("more than %d columns", maxLeaves)
	}
	s.leaves = append(s.leaves, newColumn(e, here, len(s.leaves)))
	return nil
}

func newColumn(e *format.SchemaElement, at node, index int) *Column {
	c := &Column{
		Path: strings.Join(at.path, "."), List: at.rep > 0, index: index, phys: e.Type.V,
		maxRep: at.rep, maxDef: at.def, itemDef: at.itemAt,
	}
	for i := range at.path[:len(at.path)-1] {
		c.parents = append(c.parents, strings.Join(at.path[:i+1], "."))
	}
	c.Kind, c.Unit, c.Type = classify(e)
	c.UTC = c.Kind == Timestamp && isUTC(e)
	switch c.maxRep {
	case 0:
	case 1:
		c.Type = "list of " + c.Type
	default:
		c.Type = "nested lists of " + c.Type
	}
	return c
}
