package analyze

import (
	"context"
	"math"

	"banditaudit/ingest/tableau"
)

// blockWindow is the number of units or batches whose costs are summed at one
// time: 16 MiB.
const blockWindow = 1 << 21

// blockCosts are the sums of the costs of the rows of units or batches, which
// are asked for in order.
type blockCosts struct {
	*analysis
	kind blockKind
	from int64
	sums []float64
}

// of returns the sum of the costs of all rows of a block, rounded up, NaN where
// there is no ledger.
func (c *blockCosts) of(ctx context.Context, id int64) (float64, error) {
	if c.law == nil {
		return math.NaN(), nil
	}
	if c.sums == nil || id >= c.from+int64(len(c.sums)) {
		if err := c.fill(ctx, id); err != nil {
			return 0, err
		}
	}
	up := 1 + float64(float64(c.Slice.Rows())*0x1p-52) // at most so many positive numbers were added one by one
	return float64(c.sums[id-c.from] * up), nil
}

// fill sums the costs of the blocks from one on.
func (c *blockCosts) fill(ctx context.Context, from int64) error {
	c.from = from
	if c.sums == nil {
		c.sums = make([]float64, min(c.count(), blockWindow))
	}
	clear(c.sums)
	return c.Costs(ctx, c.Slice, func(i int, costs []float64) error {
		chunk := c.Slice.Chunk(i)
		for at, cost := range costs {
			if i := c.id(&chunk, at) - from; i >= 0 && i < int64(len(c.sums)) {
				c.sums[i] += cost
			}
		}
		return nil
	})
}

// count is the number of blocks.
func (c *blockCosts) count() int64 {
	if c.kind == unitBlocks {
		return c.Slice.UnitCount()
	}
	return int64(c.Slice.BatchCount())
}

// id is the block of a row.
func (c *blockCosts) id(chunk *tableau.Chunk, at int) int64 {
	if c.kind == unitBlocks {
		return chunk.Unit[at]
	}
	return int64(chunk.Batch[at])
}
