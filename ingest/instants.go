package ingest

import (
	"context"
	"errors"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// errSeveral ends the walk of severalTimes: every column is known.
var errSeveral = errors.New("ingest: texts are times in several writings")

// severalTimes looks, before the first pass, whether the texts that rows are ordered by
// are times in several writings (cell.TextTimes): such compare as instants. It reads
// nothing but those columns, and nothing where there are none.
func (r *intake) severalTimes(ctx context.Context) error {
	left := map[*cell.Axis]bool{}
	ask := func(w *role.Want) bool { return w.Compares != role.None && w.Role != role.Clock }
	for i := range r.log.wants {
		if a := r.log.axes[i]; a != nil && a.Set && a.Class == cell.AxisText && ask(&r.log.wants[i]) {
			left[a] = true
		}
	}
	if len(left) == 0 {
		return nil
	}
	r.walks++
	seen := int64(0)
	s := scanner{log: r.log, ask: ask, progress: func(rows int64) {
		seen += rows
		r.progress(rows)
	}}
	err := s.scan(ctx, func(b *rows) error {
		for i, c := range b.cols {
			if a := r.log.axes[i]; c != nil && left[a] && a.Times.Look(c.Text[:b.n], nullsOf(c, b.n)) {
				delete(left, a)
			}
		}
		if len(left) == 0 {
			return errSeveral
		}
		return nil
	})
	if errors.Is(err, errSeveral) {
		err = nil
		r.progress(r.log.rows - seen)
	}
	return err
}

// nullsOf says which rows of a block are null; nil where none is.
func nullsOf(b *pages.Block, n int) []bool {
	if b.Nulls == 0 {
		return nil
	}
	return b.Null[:n]
}

// instants replaces the loaded texts, which are times in several writings, by instants.
func (c *keyColumn) instants(n int, refuse func(i int, rule, what, mend string)) {
	const mend = "cast the column to TIMESTAMP, with the zone of every time"
	c.made, c.texts = cell.Resize(c.made, n*cell.InstantBytes)[:0], cell.Resize(c.instantTexts, n)
	c.instantTexts = c.texts
	for i, text := range c.raw[:n] {
		from := len(c.made)
		made, zoned, ok := cell.AppendInstant(c.made, text)
		if !ok {
			made = append(made, make([]byte, cell.InstantBytes)...)
		}
		c.made, c.texts[i] = made, made[from:]
		switch {
		case !ok:
			refuse(i, fault.RuleType, "a text that is no time with its zone in hours and minutes, among times in several writings", mend)
		case zoned && !c.zoned:
			refuse(i, fault.RuleType, "a time with a zone, and the first time of the column has none", mend)
		case !zoned && c.zoned:
			refuse(i, fault.RuleType, "a time without a zone, and the first time of the column has one", mend)
		}
	}
}
