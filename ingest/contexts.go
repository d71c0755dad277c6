package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// contextRule turns one declared context column into columns of a tableau.
type contextRule interface {
	// names lists the names of the columns that it makes.
	names() []string
	// apply fills them for a block.
	apply(r *rows, x [][]float64, f *fault.List)
}

// contextColumns are the columns [from, to) of the context, which a rule makes.
type contextColumns struct {
	rule     contextRule
	from, to int
}

func (c *contextColumns) apply(r *rows, out *converted, f *fault.List) error {
	x := out.X[c.from:c.to]
	for j := range x {
		x[j] = cell.Resize(x[j], r.n)
	}
	c.rule.apply(r, x, f)
	return nil
}

func newContext(c *converter, i int) columnRule {
	declared := c.log.wants[i].Context
	if len(declared.Levels) == 0 {
		return c.context(&numericContext{want: i, column: declared.Column})
	}
	return c.context(newCategorical(i, declared))
}

const mendNull = "complete the log, leave the row out, or leave the column out of log.context"

// numericContext is a flat column of booleans or numbers.
type numericContext struct {
	want   int
	column string
}

func (c *numericContext) names() []string { return []string{c.column} }

func (c *numericContext) apply(r *rows, x [][]float64, f *fault.List) {
	eachNull(r.cols[c.want], r.n, func(i int) {
		f.Row(fault.RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
	})
	x[0] = numbers(r, c.want, c.column, x[0], f)
}

// categorical is a column with declared levels. It makes a column of 0 and 1,
// named column=level, for every level but the baseline.
type categorical struct {
	want    int
	column  string
	found   *cell.Finder
	dummies []int // by level: position among the columns made; -1 for the baseline
	made    []string
	codes   []int32 // by row of a block
}

func newCategorical(w int, c schemas.ContextColumn) *categorical {
	baseline, next := role.BaselineOf(&c), 0
	rule := &categorical{want: w, column: c.Column, found: cell.NewFinder(cell.NewLabels(c.Levels)), made: role.ContextNames(&c)}
	for _, level := range c.Levels {
		if level == baseline {
			rule.dummies = append(rule.dummies, -1)
			continue
		}
		rule.dummies = append(rule.dummies, next)
		next++
	}
	return rule
}

func (c *categorical) names() []string { return c.made }

func (c *categorical) apply(r *rows, x [][]float64, f *fault.List) {
	for j := range x {
		clear(x[j])
	}
	b, column := r.cols[c.want], r.types[c.want]
	c.codes = cell.Resize(c.codes, r.n)
	c.found.Block(b, column, c.codes)
	for i, level := range c.codes {
		switch {
		case level >= 0:
			if j := c.dummies[level]; j >= 0 {
				x[j][i] = 1
			}
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
		default:
			c.unknown(r.place(i), cell.LabelAt(b, column, i), f)
		}
	}
}

func (c *categorical) unknown(at fault.Place, level string, f *fault.List) {
	if !cell.IsText(level) {
		f.Row(fault.RuleNotText, c.column, at, "a level that is neither a text in UTF-8 of at most 4,096 bytes without a zero byte nor a whole number of 64 bits", "write levels as short texts in UTF-8")
		return
	}
	f.Label(fault.RuleLevel, c.column, at, level, "a value that is not among the declared levels", "add it to the column's levels, or leave the rows out")
}

// listContext is a column of lists of one length.
type listContext struct {
	want   int
	column string
	length int
	values []float64 // of a block, row by row
}

func newContextList(c *converter, i int) columnRule {
	return c.context(&listContext{want: i, column: c.log.wants[i].Name, length: c.shapes[i].outer})
}

func (c *listContext) names() []string {
	return role.ItemNames(c.column, c.length)
}

func (c *listContext) apply(r *rows, x [][]float64, f *fault.List) {
	b, column := r.cols[c.want], r.types[c.want]
	c.values = cell.Resize(c.values, r.n*c.length)
	if !cell.Take(c.values, b, column) {
		refuseInts(r, c.want, c.column, c.length, f)
	}
	for i := range r.n {
		row := c.values[i*c.length : (i+1)*c.length]
		switch {
		case b.Null[i] || b.ItemNulls[i]:
			f.Row(fault.RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
		case c.length == 0:
			f.Row(fault.RuleListLength, c.column, r.place(i), "an empty list in a column that has empty lists only, so that there is no context", "complete the log, or leave log.context out of the protocol")
		case int(b.Length[i]) != c.length:
			f.Row(fault.RuleListLength, c.column, r.place(i), fmt.Sprintf("a list that does not have %d values, as the first one has", c.length), "bring all lists to one length")
		case !cell.AllFinite(row):
			f.Row(fault.RuleNotFinite, c.column, r.place(i), "NaN or an infinity", mendNotFinite)
		}
		for j, v := range row {
			x[j][i] = v
		}
	}
}
