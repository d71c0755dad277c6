package corrections

import (
	"context"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
)

// blockWindow is the number of units or batches whose costs are summed at one
// time: 16 MiB.
const blockWindow = 1 << 21

// BlockCosts are the sums of the costs of the rows of units or batches. A pass
// asks for them in order; the window stays for the next one.
type BlockCosts struct {
	log    *publiclog.Log
	ledger ledger.Law // nil: no mechanism is declared
	kind   Kind
	from   int64

	filled bool
	sums   []float64 // rounded up
}

// CostsOf returns the summed costs of units or of batches: the same BlockCosts for every pass,
// for use by one goroutine.
func (a *Accounts) CostsOf(kind Kind) *BlockCosts {
	if a.blocks.costs[kind] == nil {
		a.blocks.costs[kind] = &BlockCosts{log: a.Facts.Log, ledger: a.Ledger, kind: kind}
	}
	return a.blocks.costs[kind]
}

// Of returns the sum of the costs of all rows of a block, rounded up, NaN where
// there is no ledger.
func (c *BlockCosts) Of(ctx context.Context, id int64) (float64, error) {
	if c.ledger == nil {
		return math.NaN(), nil
	}
	if !c.filled || id < c.from || id >= c.from+int64(len(c.sums)) {
		if err := c.fill(ctx, id); err != nil {
			return 0, err
		}
	}
	return c.sums[id-c.from], nil
}

// fill sums the costs of the blocks from one on.
func (c *BlockCosts) fill(ctx context.Context, from int64) error {
	c.from, c.filled = from, false
	if c.sums == nil {
		c.sums = make([]float64, min(c.count(), blockWindow))
	}
	clear(c.sums)
	err := c.log.Declared.Costs(ctx, c.log.Slice, func(i int, costs []float64) error {
		chunk := c.log.Slice.Chunk(i)
		for at, cost := range costs {
			if place := c.id(&chunk, at) - from; place >= 0 && place < int64(len(c.sums)) {
				c.sums[place] += cost
			}
		}
		return nil
	})
	up := 1 + float64(float64(c.log.Slice.Rows())*0x1p-52) // at most Rows positive numbers were added
	for i := range c.sums {
		c.sums[i] = float64(c.sums[i] * up)
	}
	c.filled = err == nil
	return err
}

// count is the number of blocks.
func (c *BlockCosts) count() int64 {
	if c.kind == UnitBlocks {
		return c.log.Slice.UnitCount()
	}
	return int64(c.log.Slice.BatchCount())
}

// id is the block of a row.
func (c *BlockCosts) id(chunk *tableau.Chunk, at int) int64 {
	if c.kind == UnitBlocks {
		return chunk.Unit[at]
	}
	return int64(chunk.Batch[at])
}
