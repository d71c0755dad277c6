package publiclog

import (
	"context"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/tableau"
)

// Repeated reports whether a unit owns several rows. Where every unit has one,
// a row is the independent unit.
func Repeated(slice *tableau.Slice) bool {
	return slice.Schema().Unit && slice.UnitCount() < slice.Rows()
}

// UnitsAtHand reports whether rows can be read by unit, or need not be since every
// unit has one.
func UnitsAtHand(slice *tableau.Slice) bool { return !Repeated(slice) || slice.HasUnits() }

// ChunkView is what is read of a chunk again and again where rows are visited in
// order of unit.
type ChunkView struct {
	start int64 // the first row, within the experiment
	Arm   []int32
	batch []int32   // nil where no batch is declared
	round []int64   // as logged
	p     []float64 // propensities of the actions; nil where they are not logged
	all   []float64 // propensities of all arms; nil where they are not logged
	could func(row, arm int) bool
}

// UnitRow says of which unit a row is, and where it lies.
type UnitRow struct {
	Unit      int64
	Chunk, At int
}

// UnitRows visits the rows in order of unit, then row. It keeps some words for
// each chunk, of up to 65,536 rows. end is called behind the last.
func UnitRows(ctx context.Context, s *tableau.Slice, visit func(*ChunkView, UnitRow) error, end func() error) error {
	return s.Guard(func() error {
		views := make([]ChunkView, s.Chunks())
		for i := range views {
			c := s.Chunk(i)
			views[i] = ChunkView{c.Start, c.Arm, c.Batch, c.Round, c.Propensity, c.PropensityByArm, c.Eligible}
		}
		for c := range s.Units() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for i, row := range c.Row {
				r := UnitRow{Unit: c.Unit[i]}
				r.Chunk, r.At = s.Locate(row)
				if err := visit(&views[r.Chunk], r); err != nil {
					return err
				}
			}
		}
		return end()
	})
}

// NewUnits is what check H07 says of units before any of their rows is seen;
// nil where no unit is declared.
func NewUnits(s *tableau.Slice) *check.Units {
	if !s.Schema().Unit {
		return nil
	}
	return &check.Units{Count: s.UnitCount(), Largest: 1}
}

// UnitWalk goes through the rows in order of unit, then row: rows of one unit
// and batch are neighbours.
type UnitWalk struct {
	Units   *check.Units
	Unit    int64
	rows    int64 // of the unit
	batched bool
	inBatch int32
	first   int32 // arm of the first row of unit and batch
	pair    int64 // rows of unit and batch
	several bool
}

// See takes up a row.
func (w *UnitWalk) See(v *ChunkView, r UnitRow) {
	batch, arm := int32(0), v.Arm[r.At]
	if w.batched = v.batch != nil; w.batched {
		batch = v.batch[r.At]
	}
	if r.Unit != w.Unit {
		w.EndPair()
		w.Unit, w.rows, w.inBatch, w.first = r.Unit, 0, batch, arm
	} else if batch != w.inBatch {
		w.EndPair()
		w.inBatch, w.first = batch, arm
	}
	w.rows++
	w.pair++
	w.Units.Largest = max(w.Units.Largest, w.rows)
	w.several = w.several || arm != w.first
}

// EndPair counts a pair of unit and batch.
func (w *UnitWalk) EndPair() {
	if w.batched && w.pair > 1 {
		w.Units.Pairs++
		if w.several {
			w.Units.Several++
		}
	}
	w.pair, w.several = 0, false
}
