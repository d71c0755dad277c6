package analyze

import (
	"context"

	"banditaudit/analyze/check"
)

// dependent is the reason that stands where a method needs independent rows
// and a declared unit owns several.
const dependent = "A4: a unit (log.unit) owns several rows; those are not independent, and this version does not count by unit"

// repeated reports whether a unit owns several rows. Where every unit has one,
// a row is the independent unit.
func (in *Input) repeated() bool {
	return in.Slice.Schema().Unit && in.Slice.UnitCount() < in.Slice.Rows()
}

// readUnits walks the rows by unit for check H07; nil where no unit is
// declared.
func (a *analysis) readUnits(ctx context.Context) (*check.Units, error) {
	if !a.Slice.Schema().Unit {
		return nil, nil //nolint:nilnil // a log without units is no error
	}
	u := &check.Units{Count: a.Slice.UnitCount(), Largest: 1}
	if !a.repeated() || !a.Slice.HasUnits() {
		return u, nil
	}
	w := &unitWalk{units: u, unit: -1}
	return u, a.Slice.Guard(func() error {
		for c := range a.Slice.Units() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for i, row := range c.Row {
				chunk, at := a.Slice.Locate(row)
				if chunk != w.chunk || w.batch == nil && w.arm == nil {
					rows := a.Slice.Chunk(chunk)
					w.chunk, w.arm, w.batch = chunk, rows.Arm, rows.Batch
				}
				w.see(c.Unit[i], at)
			}
		}
		w.endPair()
		return nil
	})
}

// unitWalk goes through the rows in order of unit, then row: rows of one unit
// and batch are neighbours.
type unitWalk struct {
	units   *check.Units
	chunk   int
	arm     []int32 // of the chunk
	batch   []int32 // of the chunk; nil where no batch is declared
	unit    int64
	rows    int64 // of the unit
	inBatch int32
	first   int32 // arm of the first row of unit and batch
	pair    int64 // rows of unit and batch
	several bool
}

// see takes up the row at of the chunk.
func (w *unitWalk) see(unit int64, at int) {
	batch := int32(0)
	if w.batch != nil {
		batch = w.batch[at]
	}
	if unit != w.unit {
		w.endPair()
		w.unit, w.rows, w.inBatch, w.first = unit, 0, batch, w.arm[at]
	} else if batch != w.inBatch {
		w.endPair()
		w.inBatch, w.first = batch, w.arm[at]
	}
	w.rows++
	w.pair++
	w.units.Largest = max(w.units.Largest, w.rows)
	w.several = w.several || w.arm[at] != w.first
}

// endPair counts a pair of unit and batch.
func (w *unitWalk) endPair() {
	if w.batch != nil && w.pair > 1 {
		w.units.Pairs++
		if w.several {
			w.units.Several++
		}
	}
	w.pair, w.several = 0, false
}
