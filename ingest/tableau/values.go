package tableau

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// checkValues checks every value of every public column, so that what reads a
// Chunk needs no checks of its own.
func (t *Tableau) checkValues() error {
	row, experiment, last := int64(0), 0, int64(0)
	for i := range t.batches {
		b := &t.batches[i]
		ids := arrow.Int32Traits.CastFromBytes(b.columns[colExperiment])
		rounds := arrow.Int64Traits.CastFromBytes(b.columns[colRound])
		for j, round := range rounds {
			if e := &t.schema.Experiments[experiment]; row == e.Offset+e.Rows {
				experiment, last = experiment+1, 0
			}
			if int(ids[j]) != experiment {
				return fmt.Errorf("row %d: experiment %d where the manifest has %d", row, ids[j], experiment)
			}
			if round <= last {
				return fmt.Errorf("row %d: round %d after round %d; rounds begin at 1 and increase", row, round, last)
			}
			last = round
			row++
		}
		if err := t.checkBatch(b, row-b.rows); err != nil {
			return err
		}
	}
	return nil
}

// checkBatch checks arms, propensities and contexts of one batch, whose first
// row is start.
func (t *Tableau) checkBatch(b *batch, start int64) error {
	for j, arm := range arrow.Int32Traits.CastFromBytes(b.columns[colArm]) {
		if arm < 0 || int(arm) >= t.schema.Arms {
			return fmt.Errorf("row %d: arm %d is not among the %d arms", start+int64(j), arm, t.schema.Arms)
		}
	}
	if c := t.schema.colPropensity(); c >= 0 {
		for j, p := range arrow.Float64Traits.CastFromBytes(b.columns[c]) {
			if !(p >= MinPropensity && p <= 1) { // so that NaN fails
				return fmt.Errorf("row %d: the propensity is outside [%g, 1]", start+int64(j), MinPropensity)
			}
		}
	}
	for c := t.schema.colContext(); c < len(b.columns); c++ {
		for j, x := range arrow.Float64Traits.CastFromBytes(b.columns[c]) {
			if !finite(x) {
				return fmt.Errorf("row %d: column x%d is not finite", start+int64(j), c-t.schema.colContext())
			}
		}
	}
	return nil
}
