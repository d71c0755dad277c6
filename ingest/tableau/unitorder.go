package tableau

import "fmt"

// checkUnits checks the values of units.arrow. Where (unit, row) increases
// strictly within an experiment and every row is one of the experiment's, no
// row occurs twice; and as there are as many as in the tableau, every row
// occurs.
func (t *Tableau) checkUnits() error {
	c := unitOrder{t: t, unit: make([][]int64, len(t.batches))}
	for i := range t.batches {
		c.unit[i] = t.batches[i].int64s(t.layout.at[colUnit], 0, t.batches[i].rows)
	}
	return t.each(len(t.byUnit), func(i int) error {
		if err := c.check(i); err != nil {
			return fmt.Errorf("tableau: %s: %w: %w", t.units.path, ErrDamaged, err)
		}
		return nil
	})
}

// unitOrder compares units.arrow with the unit column of rounds.arrow.
type unitOrder struct {
	t    *Tableau
	unit [][]int64 // of rounds.arrow, by record batch
}

// check checks record batch i of units.arrow.
func (c *unitOrder) check(i int) error {
	b, first := &c.t.byUnit[i], int64(i)<<maxBatchShift
	es := c.t.schema.Experiments
	e := c.t.experimentOf(first)
	for at := int64(0); at < b.rows; e++ {
		s, to := c.t.Slice(e), min(b.rows, es[e].Offset+es[e].Rows-first)
		lastUnit, lastRow := int64(-1), int64(-1)
		if before := first + at - 1; before >= es[e].Offset {
			prior, j := &c.t.byUnit[before>>maxBatchShift], before&(BatchRows-1)
			lastUnit, lastRow = prior.int64s(colOwner, j, j+1)[0], prior.int64s(colOwnRow, j, j+1)[0]
		}
		units, rows := b.int64s(colOwner, at, to), b.int64s(colOwnRow, at, to)
		for j, row := range rows {
			if row < es[e].Offset || row-es[e].Offset >= es[e].Rows {
				return fmt.Errorf("row %d: row %d of the tableau is not of experiment %d", first+at+int64(j), row, e)
			}
			if units[j] < lastUnit || units[j] == lastUnit && row <= lastRow {
				return fmt.Errorf("row %d: unit %d, row %d of the tableau after unit %d, row %d; they increase", first+at+int64(j), units[j], row, lastUnit, lastRow)
			}
			chunk, in := s.Locate(row - es[e].Offset)
			if u := c.unit[s.first+chunk][s.at+int64(in)]; u != units[j] {
				return fmt.Errorf("row %d: unit %d for row %d of the tableau, which has unit %d", first+at+int64(j), units[j], row, u)
			}
			lastUnit, lastRow = units[j], row
		}
		at = to
	}
	return nil
}
