package analyze

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/ingest/tableau"
)

// block is rows that are revealed together and independent of all other blocks:
// those of a unit, or of a batch.
type block struct {
	id   int64      // the unit, or the batch
	rows int64      // all its rows
	cost float64    // Σ of the costs of all its rows in nats, rounded up; NaN where there is no ledger
	arms []blockArm // those that were played in it, in order
}

// blockArm is what a block has of an arm.
type blockArm struct {
	arm  int
	rows int64   // rounds in which it was played
	n    int64   // of them with a known reward; 0 where rewards were not asked for
	sum  float64 // of those rewards
}

// blockKind says which rows are revealed together.
type blockKind int

const (
	rowBlocks blockKind = iota
	unitBlocks
	batchBlocks
)

// walkBlocks visits the units or batches of the experiment in their order. The
// block is used again for the next one. rewards may be nil; then nothing but
// public columns is read. Its memory is that of the costs of 2²¹ units at a
// time (16 MiB), of Costs, and of some words for each chunk and each arm: it
// does not grow with the rows. A log with more units is read for its costs once
// for each 2²¹ of them.
func (a *analysis) walkBlocks(ctx context.Context, kind blockKind, rewards *tableau.Rewards, visit func(*block) error) error {
	w := &blockWalk{id: -1, slot: make([]int32, a.k()), visit: visit}
	switch {
	case kind == unitBlocks && a.Slice.HasUnits():
		return a.walkUnits(ctx, w, rewards)
	case kind == batchBlocks && a.Slice.Schema().Batch:
		return a.walkBatches(ctx, w, rewards)
	}
	return errors.New("the tableau does not say which rows belong together; declare log.unit or log.batch and ingest the log again")
}

// walkBatches goes through the rows in their order, in which those of a batch
// are neighbours.
func (a *analysis) walkBatches(ctx context.Context, w *blockWalk, rewards *tableau.Rewards) error {
	chunk := func(i int, costs []float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := a.Slice.Chunk(i)
		var y []float64
		if rewards != nil {
			y = rewards.Chunk(i)
		}
		for at, batch := range c.Batch {
			if err := w.move(int64(batch)); err != nil {
				return err
			}
			w.see(c.Arm[at], valueAt(y, at))
			w.now.cost += valueAt(costs, at)
		}
		return nil
	}
	if a.law != nil {
		if err := a.Costs(ctx, a.Slice, chunk); err != nil {
			return err
		}
		return w.end()
	}
	return a.Slice.Guard(func() error {
		for i := range a.Slice.Chunks() {
			if err := chunk(i, nil); err != nil {
				return err
			}
		}
		return w.end()
	})
}

// valueAt is v[at], NaN where there is no v.
func valueAt(v []float64, at int) float64 {
	if v == nil {
		return math.NaN()
	}
	return v[at]
}

// walkUnits goes through the rows in order of unit.
func (a *analysis) walkUnits(ctx context.Context, w *blockWalk, rewards *tableau.Rewards) error {
	costs := &blockCosts{analysis: a, kind: unitBlocks}
	y := make([][]float64, a.Slice.Chunks())
	if rewards != nil {
		for i := range y {
			y[i] = rewards.Chunk(i)
		}
	}
	return a.unitRows(ctx, func(view *chunkView, r unitRow) error {
		if r.unit != w.id {
			if err := w.move(r.unit); err != nil {
				return err
			}
			var err error
			if w.now.cost, err = costs.of(ctx, r.unit); err != nil {
				return err
			}
		}
		w.see(view.arm[r.at], valueAt(y[r.chunk], r.at))
		return nil
	}, w.end)
}

// blockWalk puts rows together to blocks; rows of one block are neighbours.
type blockWalk struct {
	id    int64 // of now; −1: none yet
	now   block
	slot  []int32 // by arm: its place in now.arms, from 1; 0: not in it
	visit func(*block) error
}

// move goes on to the block with a number, which may be the one that it is at.
func (w *blockWalk) move(id int64) error {
	if id == w.id {
		return nil
	}
	if err := w.end(); err != nil {
		return err
	}
	w.id = id
	w.now = block{id: id, arms: w.now.arms[:0]}
	return nil
}

// see takes up a row; y is NaN where its reward is missing.
func (w *blockWalk) see(arm int32, y float64) {
	if w.slot[arm] == 0 {
		w.now.arms = append(w.now.arms, blockArm{arm: int(arm)})
		w.slot[arm] = int32(len(w.now.arms)) //nolint:gosec // there are fewer than 2³¹ arms
	}
	part := &w.now.arms[w.slot[arm]-1]
	w.now.rows++
	part.rows++
	if !math.IsNaN(y) {
		part.n++
		part.sum += y
	}
}

// end visits the block, if there is one.
func (w *blockWalk) end() error {
	if w.id < 0 {
		return nil
	}
	for _, part := range w.now.arms {
		w.slot[part.arm] = 0
	}
	slices.SortFunc(w.now.arms, func(x, y blockArm) int { return x.arm - y.arm })
	w.now.cost *= 1 + float64(float64(w.now.rows)*0x1p-52) // that many positive numbers, added one by one
	w.id = -1
	if err := w.visit(&w.now); err != nil {
		return fmt.Errorf("block %d: %w", w.now.id, err)
	}
	return nil
}
