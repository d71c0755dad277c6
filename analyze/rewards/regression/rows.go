package regression

import (
	"context"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/bias"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// chunkShifts is a chunk with a bound on the shift of each of its rewards; nil
// where none is asked for.
type chunkShifts struct {
	chunk int
	tau   []float64
}

// passInOrder goes through the rows in their order.
func (f *Fits) passInOrder(ctx context.Context, r *Regression, p *passes) error {
	w := publiclog.NewWave(f.facts.Slice, f.facts.Jobs, func(in chunkShifts) (*passes, error) {
		part, err := p.part()
		if err != nil {
			return nil, err
		}
		c := f.facts.Slice.Chunk(in.chunk)
		rows := &passRows{arm: r.rewards.Arms(in.chunk), x: publiclog.Chosen(f.facts.Context(&c), r.columns), y: r.rewards.Chunk(in.chunk), tau: in.tau}
		if p.clustered != nil {
			rows.cluster = make([]int64, len(c.Arm))
			for t := range rows.cluster {
				rows.cluster[t] = c.Start + int64(t) // every unit has one row
				if r.Spec.Covariance.Cluster == schemas.ClusterBatch {
					rows.cluster[t] = int64(c.Batch[t])
				}
			}
		}
		if err := part.add(rows); err != nil {
			return nil, err
		}
		return part, nil
	}, p.merge)
	err := f.eachShift(ctx, r, p.influence != nil && !f.costs.Unmoved, func(in chunkShifts) error { return w.Push(ctx, in) })
	if err != nil {
		return err
	}
	return w.Flush(ctx)
}

// eachShift visits the chunks in order. The bound on a row's shift comes from
// the row's cost, or from the cost of the whole batch where batches are taken as
// independent.
func (f *Fits) eachShift(ctx context.Context, r *Regression, bounded bool, visit func(chunkShifts) error) error {
	byBatch := r.Spec.Covariance.Cluster == schemas.ClusterBatch
	if bounded && !byBatch {
		return f.facts.Declared.Costs(ctx, f.facts.Slice, func(chunk int, costs []float64) error {
			tau := make([]float64, len(costs))
			bias.Rows(tau, costs)
			return visit(chunkShifts{chunk, tau})
		})
	}
	return publiclog.EachChunk(ctx, f.facts.Slice, func(i int, c *tableau.Chunk) (err error) {
		in := chunkShifts{chunk: i}
		if bounded {
			if in.tau, err = shifts(ctx, f.costs.Batches, widened(c.Batch)); err != nil {
				return err
			}
		}
		return visit(in)
	})
}

// widened returns the numbers of batches as int64, the type of block numbers.
func widened(batch []int32) []int64 {
	out := make([]int64, len(batch))
	for i, b := range batch {
		out[i] = int64(b)
	}
	return out
}

// shifts returns the bound on the shift of each row, from the cost of the row's block. The
// numbers of blocks do not fall.
func shifts(ctx context.Context, costs CostOf, blocks []int64) ([]float64, error) {
	tau := make([]float64, len(blocks))
	for i, id := range blocks {
		if i > 0 && id == blocks[i-1] {
			tau[i] = tau[i-1]
			continue
		}
		cost, err := costs(ctx, id)
		if err != nil {
			return nil, err
		}
		tau[i] = bias.Row(cost)
	}
	return tau, nil
}
