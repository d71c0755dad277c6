package weighed

import (
	"context"

	"banditaudit/analyze/estimate"
	"banditaudit/analyze/facts"
)

// readSupport goes over the propensities of all arms where some rewards are missing: which
// rounds had a low one is then known of all rounds, and not only of those whose reward is.
// It reads no rewards.
func (r *weightedReader) readSupport(ctx context.Context) error {
	total := make([]estimate.Support, r.K())
	err := facts.FoldDraws(ctx, r.Log, r.support, func(part []estimate.Support) {
		for arm := range total {
			total[arm].Merge(&part[arm])
		}
	})
	if err != nil {
		return err
	}
	for arm := range total {
		for weighting := range r.weighted.weighings() {
			r.weighted.arms.AIPW(weighting, arm).Over(&total[arm])
		}
	}
	return nil
}

// support are the rounds of a chunk, by arm.
func (r *weightedReader) support(i facts.DrawnChunk) ([]estimate.Support, error) {
	out, c, p := make([]estimate.Support, r.K()), r.Slice.Chunk(i.Chunk), r.newProbabilities()
	p.all = true
	for row := range c.Arm {
		if !i.Draws(row) {
			continue
		}
		for arm, q := range p.of(&c, row) {
			out[arm].Round(q)
		}
	}
	return out, nil
}
