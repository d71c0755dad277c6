package ingest

import (
	"fmt"
	"strconv"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// contextRule turns one declared context column into columns of a tableau.
type contextRule interface {
	// names are those of the columns that it makes.
	names() []string
	// apply fills them for a block.
	apply(r *rows, x [][]float64, f *faults)
}

func newContextRule(w int, c schemas.ContextColumn) contextRule {
	if len(c.Levels) == 0 {
		return &numericContext{want: w, column: c.Column}
	}
	return newCategorical(w, c)
}

const mendNull = "complete the log, leave the row out, or leave the column out of log.context"

// numericContext is a flat column of booleans or numbers.
type numericContext struct {
	want   int
	column string
}

func (c *numericContext) names() []string { return []string{c.column} }

func (c *numericContext) apply(r *rows, x [][]float64, f *faults) {
	eachNull(r.cols[c.want], r.n, func(i int) {
		f.row(RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
	})
	x[0] = numbers(r, c.want, c.column, x[0], f)
}

// categorical is a column with declared levels. It makes a column of 0 and 1,
// named column=level, for every level but the baseline.
type categorical struct {
	want    int
	column  string
	levels  *labels
	dummies []int // by level: position among the columns made; -1 for the baseline
	made    []string
}

func newCategorical(w int, c schemas.ContextColumn) *categorical {
	baseline := c.Baseline
	if baseline == "" {
		baseline = c.Levels[0]
	}
	rule := &categorical{want: w, column: c.Column, levels: newLabels(c.Levels)}
	for _, level := range c.Levels {
		if level == baseline {
			rule.dummies = append(rule.dummies, -1)
			continue
		}
		rule.dummies = append(rule.dummies, len(rule.made))
		rule.made = append(rule.made, c.Column+"="+level)
	}
	return rule
}

func (c *categorical) names() []string { return c.made }

func (c *categorical) apply(r *rows, x [][]float64, f *faults) {
	for j := range x {
		clear(x[j])
	}
	b, column := r.cols[c.want], r.types[c.want]
	for i := range r.n {
		if b.Nulls > 0 && b.Null[i] {
			f.row(RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
			continue
		}
		level, ok := c.find(b, column, i)
		if !ok {
			c.unknown(r.place(i), levelAt(b, column, i), f)
			continue
		}
		if j := c.dummies[level]; j >= 0 {
			x[j][i] = 1
		}
	}
}

func (c *categorical) find(b *pages.Block, column *pages.Column, i int) (int32, bool) {
	if column.Kind == pages.Bool {
		level, ok := c.levels.codes[levelAt(b, column, i)]
		return level, ok
	}
	return c.levels.find(b, column, i)
}

// levelAt is row i as a level; booleans are true and false.
func levelAt(b *pages.Block, column *pages.Column, i int) string {
	if column.Kind == pages.Bool {
		return strconv.FormatBool(b.Int[i] == 1)
	}
	return labelAt(b, column, i)
}

func (c *categorical) unknown(at Place, level string, f *faults) {
	if !isText(level) {
		f.row(RuleNotText, c.column, at, "a level that is not a text in UTF-8 of at most 4,096 bytes", "write levels as short texts in UTF-8")
		return
	}
	f.label(RuleLevel, c.column, at, level, "a value that is not among the declared levels", "add it to the column's levels, or leave the rows out")
}

// listContext is a column of lists of one length.
type listContext struct {
	want   int
	column string
	length int
}

func (c *listContext) names() []string {
	names := make([]string, c.length)
	for i := range names {
		names[i] = fmt.Sprintf("%s[%d]", c.column, i)
	}
	return names
}

func (c *listContext) apply(r *rows, x [][]float64, f *faults) {
	b := r.cols[c.want]
	for i := range r.n {
		switch {
		case b.Null[i] || b.ItemNulls[i]:
			f.row(RuleNull, c.column, r.place(i), "a null in a context column", mendNull)
			continue
		case c.length == 0:
			f.row(RuleListLength, c.column, r.place(i), "an empty list in a column that has empty lists only, so that there is no context", "complete the log, or leave log.context out of the protocol")
			continue
		case int(b.Length[i]) != c.length:
			f.row(RuleListLength, c.column, r.place(i), fmt.Sprintf("a list that does not have %d values, as the first one has", c.length), "bring all lists to one length")
			continue
		}
		finite := true
		for j, v := range b.Float[i*c.length : (i+1)*c.length] {
			x[j][i] = v
			finite = finite && isFinite(v)
		}
		if !finite {
			f.row(RuleNotFinite, c.column, r.place(i), "NaN or an infinity", "correct the value, or leave the row out")
		}
	}
}

// listLength returns the length of the first context list that is not empty;
// 0 when there is none, or no context list.
func listLength(l *logFiles) (int, error) {
	for i, w := range l.wants {
		if w.role != roleContextList {
			continue
		}
		for k := range l.inputs {
			n, err := listLengthIn(l, &l.inputs[k], i)
			if err != nil || n > 0 {
				return n, err
			}
		}
	}
	return 0, nil
}

func listLengthIn(l *logFiles, in *input, w int) (int, error) {
	f, err := l.open(in)
	if err != nil || f == nil {
		return 0, err
	}
	defer f.Close()
	var b pages.Block
	for g := range f.pages.Groups() {
		cursor, err := f.pages.List(g, f.columns[w], 0)
		if err != nil {
			return 0, l.faults.pageFault(in.URI, err)
		}
		n, err := firstLength(cursor, &b, f.pages.GroupRows(g))
		cursor.Close()
		if err != nil {
			return 0, l.faults.pageFault(in.URI, err)
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

func firstLength(c cursor, b *pages.Block, left int64) (int, error) {
	for size := 1; left > 0; size = blockRows {
		n, err := c.Next(b, size)
		if err != nil {
			return 0, err
		}
		left -= int64(n)
		for _, length := range b.Length[:n] {
			if length > 0 {
				return int(length), nil
			}
		}
	}
	return 0, nil
}
