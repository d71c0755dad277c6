package corrections

import (
	"context"
	"errors"
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
)

// Block holds rows that are revealed together and independent of all other blocks: the rows
// of a unit, or of a batch.
type Block struct {
	Cost float64    // Σ of the costs of all its rows in nats, rounded up; NaN where there is no ledger
	Arms []BlockArm // those that were played in it, in the order met
	slot []int32    // by arm: its place in arms, from 1; 0: not in it
}

// BlockArm is what a block has of an arm.
type BlockArm struct {
	Arm int
	N   int64   // rows with a known reward; 0 where rewards were not asked for
	Sum float64 // of those rewards, each less the shift of the arm
}

// Of is what the block has of an arm, whether it was played or not.
func (b *Block) Of(arm int) BlockArm {
	if b.slot[arm] == 0 {
		return BlockArm{Arm: arm}
	}
	return b.Arms[b.slot[arm]-1]
}

// BlockRewards are the rewards that a walk over blocks sums, each less the shift
// of its arm.
type BlockRewards struct {
	*tableau.Rewards

	Shift []float64 // by arm
}

// Kind says which rows are revealed together.
type Kind int

// The kinds of blocks.
const (
	RowBlocks Kind = iota
	UnitBlocks
	BatchBlocks
)

// WalkBlocks visits the units or batches of the experiment in their order. The
// block is used again for the next one. rewards may be nil; then nothing but
// public columns is read. see, if it is not nil, is shown every row where blocks
// are units. It holds the costs of 2²¹ blocks at a time (16 MiB), the memory of Costs, and
// some words for each chunk and each arm: memory does not grow with the rows. A log with
// more blocks is read for its costs once for each 2²¹ of them.
func (a *Accounts) WalkBlocks(ctx context.Context, kind Kind, rewards *BlockRewards, see func(*publiclog.ChunkView, publiclog.UnitRow), visit func(*Block) error) error {
	w := &blockWalk{id: -1, costs: a.CostsOf(kind), now: Block{slot: make([]int32, a.Facts.K())}, visit: visit}
	y := make([][]float64, a.Facts.Slice.Chunks())
	if rewards != nil {
		w.shift = rewards.Shift
		for i := range y {
			y[i] = rewards.Chunk(i)
		}
	}
	switch {
	case kind == UnitBlocks && a.Facts.Slice.HasUnits():
		return publiclog.UnitRows(ctx, a.Facts.Slice, func(view *publiclog.ChunkView, r publiclog.UnitRow) error {
			if see != nil {
				see(view, r)
			}
			return w.row(ctx, r.Unit, view.Arm[r.At], valueAt(y[r.Chunk], r.At))
		}, w.end)
	case kind == BatchBlocks && a.Facts.Slice.Schema().Batch:
		return a.walkBatches(ctx, w, y)
	}
	return errors.New("the tableau does not say which rows belong together; declare log.unit or log.batch and ingest the log again")
}

// walkBatches goes through the rows in their order, in which the rows of a batch are
// neighbours.
func (a *Accounts) walkBatches(ctx context.Context, w *blockWalk, y [][]float64) error {
	return a.Facts.Slice.Guard(func() error {
		for i := range y {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := a.Facts.Slice.Chunk(i)
			for at, batch := range c.Batch {
				if err := w.row(ctx, int64(batch), c.Arm[at], valueAt(y[i], at)); err != nil {
					return err
				}
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

// blockWalk puts rows together to blocks; rows of one block are neighbours.
type blockWalk struct {
	id    int64 // of now; −1: none yet
	now   Block
	costs *BlockCosts
	shift []float64 // by arm; nil where rewards are not read
	visit func(*Block) error
}

// row takes up a row of a block; y is NaN where its reward is missing.
func (w *blockWalk) row(ctx context.Context, id int64, arm int32, y float64) error {
	if id != w.id {
		if err := w.end(); err != nil {
			return err
		}
		cost, err := w.costs.Of(ctx, id)
		if err != nil {
			return err
		}
		w.id, w.now.Cost = id, cost
	}
	if w.now.slot[arm] == 0 {
		w.now.Arms = append(w.now.Arms, BlockArm{Arm: int(arm)})
		w.now.slot[arm] = int32(len(w.now.Arms)) //nolint:gosec // there are fewer than 2³¹ arms
	}
	if !math.IsNaN(y) {
		part := &w.now.Arms[w.now.slot[arm]-1]
		part.N++
		part.Sum += y - w.shift[arm]
	}
	return nil
}

// end visits the block, if there is one.
func (w *blockWalk) end() error {
	if w.id < 0 {
		return nil
	}
	if err := w.visit(&w.now); err != nil {
		return fmt.Errorf("block %d: %w", w.id, err)
	}
	for _, part := range w.now.Arms {
		w.now.slot[part.Arm] = 0
	}
	w.now.Arms = w.now.Arms[:0]
	w.id = -1
	return nil
}
