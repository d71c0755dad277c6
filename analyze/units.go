package analyze

import (
	"context"

	"banditaudit/analyze/check"
	"banditaudit/ingest/tableau"
)

// repeated reports whether a unit owns several rows. Where every unit has one,
// a row is the independent unit.
func repeated(slice *tableau.Slice) bool {
	return slice.Schema().Unit && slice.UnitCount() < slice.Rows()
}

// unitsAtHand reports whether rows can be read by unit, or need not be since every
// unit has one.
func unitsAtHand(slice *tableau.Slice) bool { return !repeated(slice) || slice.HasUnits() }

// chunkView is what is read of a chunk again and again where rows are visited in
// order of unit.
type chunkView struct {
	start int64 // the first row, within the experiment
	arm   []int32
	batch []int32   // nil where no batch is declared
	round []int64   // as logged
	p     []float64 // propensities of the actions; nil where they are not logged
	all   []float64 // propensities of all arms; nil where they are not logged
	could func(row, arm int) bool
}

// unitRow says of which unit a row is, and where it lies.
type unitRow struct {
	unit      int64
	chunk, at int
}

// unitRows visits the rows in order of unit, then row. It keeps some words for
// each chunk, of up to 65,536 rows. end is called behind the last.
func unitRows(ctx context.Context, s *tableau.Slice, visit func(*chunkView, unitRow) error, end func() error) error {
	return s.Guard(func() error {
		views := make([]chunkView, s.Chunks())
		for i := range views {
			c := s.Chunk(i)
			views[i] = chunkView{c.Start, c.Arm, c.Batch, c.Round, c.Propensity, c.PropensityByArm, c.Eligible}
		}
		for c := range s.Units() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for i, row := range c.Row {
				r := unitRow{unit: c.Unit[i]}
				r.chunk, r.at = s.Locate(row)
				if err := visit(&views[r.chunk], r); err != nil {
					return err
				}
			}
		}
		return end()
	})
}

// newUnits is what check H07 says of units before any of their rows is seen;
// nil where no unit is declared.
func newUnits(s *tableau.Slice) *check.Units {
	if !s.Schema().Unit {
		return nil
	}
	return &check.Units{Count: s.UnitCount(), Largest: 1}
}

// unitWalk goes through the rows in order of unit, then row: rows of one unit
// and batch are neighbours.
type unitWalk struct {
	units   *check.Units
	unit    int64
	rows    int64 // of the unit
	batched bool
	inBatch int32
	first   int32 // arm of the first row of unit and batch
	pair    int64 // rows of unit and batch
	several bool
}

// see takes up a row.
func (w *unitWalk) see(v *chunkView, r unitRow) {
	batch, arm := int32(0), v.arm[r.at]
	if w.batched = v.batch != nil; w.batched {
		batch = v.batch[r.at]
	}
	if r.unit != w.unit {
		w.endPair()
		w.unit, w.rows, w.inBatch, w.first = r.unit, 0, batch, arm
	} else if batch != w.inBatch {
		w.endPair()
		w.inBatch, w.first = batch, arm
	}
	w.rows++
	w.pair++
	w.units.Largest = max(w.units.Largest, w.rows)
	w.several = w.several || arm != w.first
}

// endPair counts a pair of unit and batch.
func (w *unitWalk) endPair() {
	if w.batched && w.pair > 1 {
		w.units.Pairs++
		if w.several {
			w.units.Several++
		}
	}
	w.pair, w.several = 0, false
}
