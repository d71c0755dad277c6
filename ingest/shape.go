package ingest

import (
	"fmt"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
)

// shape is what is kept of every row of a list column.
type shape struct {
	outer int // values; of lists of lists: inner lists
	inner int // values of every inner list; 1 where there are none
}

// size is the number of values in a row.
func (s shape) size() int { return s.outer * s.inner }

// listShapes returns the shapes of a log's list columns, by want. Columns by
// arm have a value, or a list of values, for each arm. How many values a context
// has, the first list that is not empty says; 0 when there is none.
func listShapes(l *logFiles, arms int) (shapes []shape, err error) {
	shapes = make([]shape, len(l.wants))
	for i := range l.wants {
		deepest := slices.Max(l.wants[i].Fit.Depths)
		switch byArm := l.wants[i].ByArm; {
		case deepest == 0:
		case !byArm:
			shapes[i].inner = 1
			shapes[i].outer, err = firstList(l, i)
		case deepest > 1:
			shapes[i].outer = arms
			shapes[i].inner, err = firstList(l, i)
		case !slices.Contains(l.wants[i].Fit.Depths, 0) || l.nested(i):
			shapes[i] = shape{arms, 1}
		}
		if err != nil {
			return nil, err
		}
	}
	return shapes, nil
}

// firstList returns the length of the first innermost list of a column that is
// not empty, or 0; and 1 for the values by arm that are no lists themselves.
func firstList(l *logFiles, w int) (int, error) {
	for k := range l.inputs {
		n, err := firstListIn(l, &l.inputs[k], w)
		if err != nil || n > 0 {
			return n, err
		}
	}
	return 0, nil
}

func firstListIn(l *logFiles, in *input, w int) (int, error) {
	f, err := l.open(in)
	if err != nil || f == nil {
		return 0, err
	}
	defer f.Close()
	if f.columns[w] == nil {
		return 0, nil // the scan reports that the file has changed
	}
	if l.wants[w].ByArm && f.columns[w].Depth == 1 {
		return 1, nil
	}
	var b pages.Block
	for g := range f.pages.Groups() {
		cursor, err := listCursor(f, g, w, shape{})
		if err != nil {
			return 0, l.faults.Page(in.URI, err)
		}
		n, err := firstLength(cursor, &b, f.columns[w].Depth > 1, f.pages.GroupRows(g))
		cursor.Close()
		if err != nil {
			return 0, l.faults.Page(in.URI, err)
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// listCursor returns a cursor of a list column, or of one of lists of lists.
func listCursor(f *logFile, g, w int, s shape) (*pages.ListCursor, error) {
	if f.columns[w].Depth > 1 {
		return f.pages.Nested(g, f.columns[w], s.outer, s.inner)
	}
	return f.pages.List(g, f.columns[w], s.outer)
}

// firstLength reads rows until an innermost list has values.
func firstLength(c *pages.ListCursor, b *pages.Block, nested bool, left int64) (int, error) {
	for size := 1; left > 0; size = cell.BlockRows {
		n, err := c.Next(b, size)
		if err != nil {
			return 0, err
		}
		left -= int64(n)
		lengths := b.Length[:n]
		if nested {
			lengths = b.Inner[:n]
		}
		for _, length := range lengths {
			if length > 0 {
				return int(length), nil
			}
		}
	}
	return 0, nil
}

// blockBytes is about what the lists of a block may take.
const blockBytes = 32 << 20

// valueBytes is about what a value of a list takes in a block, decoded and
// converted.
const valueBytes = 32

// rowsPerBlock is the number of rows that are decoded at once: fewer than
// blockRows where the rows have long lists.
func rowsPerBlock(shapes []shape) int {
	size := int64(0)
	for _, s := range shapes {
		size += int64(s.size())
	}
	return int(max(1, min(cell.BlockRows, blockBytes/valueBytes/max(size, 1))))
}

// bookShapes books the memory of a block's lists, once they are converted. What
// is decoded, the cursors book. Lists that are wider than a row of a tableau are
// an *InputError.
func bookShapes(l *logFiles, shapes []shape) error {
	size, widest, widestSize := int64(0), 0, 0
	for i, s := range shapes {
		size += int64(s.size())
		if s.size() > widestSize {
			widest, widestSize = i, s.size()
		}
	}
	if size > maxListed {
		return &fault.InputError{
			RowGroup: -1, Row: -1, Column: l.wants[widest].Name, Rule: fault.RuleListLength,
			What: fmt.Sprintf("has %d values in a row, and the lists of a row may have %d", widestSize, int64(maxListed)),
			Mend: "declare fewer arms, or write shorter lists",
		}
	}
	if err := l.budget.Take(8 * size * int64(rowsPerBlock(shapes))); err != nil {
		return fmt.Errorf("ingest: lists of %d values in a row: %w: %w; raise --max-memory", size, fault.ErrResource, err)
	}
	return nil
}

// maxListed bounds the values of a row's lists, so that half of a tableau's
// record batch holds the row.
const maxListed = tableau.BatchBytes / 16

// maxContext bounds the columns x0, x1, … of a tableau.
const maxContext = 1 << 15

// checkWidth returns an *InputError where there are more context columns than
// a tableau has.
func (c *converter) checkWidth() error {
	if len(c.out.X) <= maxContext {
		return nil
	}
	return &fault.InputError{
		RowGroup: -1, Row: -1, Column: c.contexts[0].names()[0], Rule: fault.RuleListLength,
		What: fmt.Sprintf("and the rest of the context are %d columns, of at most %d", len(c.out.X), maxContext),
		Mend: "declare fewer columns or levels, or write shorter lists",
	}
}
