package analyze

import (
	"context"
	"slices"
)

// drawnChunk is a chunk, and which of its rows are known to be drawn by
// themselves.
type drawnChunk struct {
	chunk int
	none  bool   // no row is
	first []bool // of every row, whether it is; nil: all are, or none
}

// draws reports whether a row is known to be drawn by itself.
func (d *drawnChunk) draws(row int) bool { return !d.none && (len(d.first) == 0 || d.first[row]) }

// arms are those of the rows, and −1 where a row is not known to be drawn by itself:
// what tests draws passes over those.
func (d *drawnChunk) arms(arm []int32) []int32 {
	if !d.none && d.first == nil {
		return arm
	}
	out := slices.Clone(arm)
	for row := range out {
		if !d.draws(row) {
			out[row] = -1
		}
	}
	return out
}

// foldDraws is fold for work that asks which rows of a chunk were drawn by
// themselves. Whoever tests draws reads the rows so, and keeps to draws.
func foldDraws[T any](ctx context.Context, in *Log, work func(drawnChunk) (T, error), merge func(T)) error {
	draws := in.Draws(in.Slice)
	firsts := draws.Firsts(in.Slice)
	w := newWave(in.Slice, in.Jobs, work, func(part T) error {
		merge(part)
		return nil
	})
	for i := range in.Slice.Chunks() {
		item := drawnChunk{chunk: i, none: draws.None()}
		if firsts != nil {
			err := in.Slice.Guard(func() error {
				c := in.Slice.Chunk(i)
				item.first = slices.Clone(firsts.Next(&c))
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := w.push(ctx, item); err != nil {
			return err
		}
	}
	return w.flush(ctx)
}
