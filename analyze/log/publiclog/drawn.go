package publiclog

import (
	"context"
	"slices"

	"banditaudit/ingest/tableau"
)

// DrawnChunk is a chunk, and which of its rows are known to be drawn by
// themselves.
type DrawnChunk struct {
	Chunk int
	None  bool   // no row is
	First []bool // of every row, whether it is; nil: all are, or none
}

// Draws reports whether a row is known to be drawn by itself.
func (d *DrawnChunk) Draws(row int) bool { return !d.None && (len(d.First) == 0 || d.First[row]) }

// arms returns the arms of the rows, and −1 for a row that is not known to be drawn by itself:
// tests of draws pass over such rows.
func (d *DrawnChunk) arms(arm []int32) []int32 {
	if !d.None && d.First == nil {
		return arm
	}
	out := slices.Clone(arm)
	for row := range out {
		if !d.Draws(row) {
			out[row] = -1
		}
	}
	return out
}

// FoldDraws is fold for work that asks which rows of a chunk were drawn by
// themselves. Whoever tests draws reads the rows so, and keeps to draws.
func FoldDraws[T any](ctx context.Context, in *Log, work func(DrawnChunk) (T, error), merge func(T)) error {
	draws := in.Declared.Draws(in.Slice)
	firsts := draws.Firsts(in.Slice)
	w := NewWave(in.Slice, in.Jobs, work, func(part T) error {
		merge(part)
		return nil
	})
	err := EachChunk(ctx, in.Slice, func(i int, c *tableau.Chunk) error {
		item := DrawnChunk{Chunk: i, None: draws.None()}
		if firsts != nil {
			item.First = slices.Clone(firsts.Next(c))
		}
		return w.Push(ctx, item)
	})
	if err != nil {
		return err
	}
	return w.Flush(ctx)
}
