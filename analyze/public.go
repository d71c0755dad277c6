package analyze

import (
	"context"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
)

// public is what one pass over the public columns gives.
type public struct {
	rounds  int64
	pulls   []int64
	bins    bins
	played  []int64              // by arm, then bin
	match   *adaptive.Allocation // nil where no propensity is logged
	weights *adaptive.Weights    // likewise
}

func (a *analysis) newPublic() *public {
	p := &public{pulls: make([]int64, a.k()), bins: newBins(a.Slice.Rows())}
	p.played = make([]int64, a.k()*p.bins.count)
	if a.Slice.HasPropensity() {
		p.match, p.weights = adaptive.NewAllocation(a.k()), adaptive.NewWeights(a.k())
	}
	return p
}

func (p *public) merge(o *public) {
	p.rounds += o.rounds
	for arm, n := range o.pulls {
		p.pulls[arm] += n
	}
	for i, n := range o.played {
		p.played[i] += n
	}
	if p.match != nil {
		p.match.Merge(o.match)
		p.weights.Merge(o.weights)
	}
}

func (a *analysis) readPublic(ctx context.Context) error {
	a.pub = a.newPublic()
	return fold(ctx, a.Slice, a.Jobs, a.publicChunk, a.pub.merge)
}

func (a *analysis) publicChunk(i int) (*public, error) {
	p, c := a.newPublic(), a.Slice.Chunk(i)
	p.rounds = int64(len(c.Arm))
	for t, arm := range c.Arm {
		p.pulls[arm]++
		p.played[int(arm)*p.bins.count+p.bins.of(c.Start+int64(t))]++
	}
	if p.match == nil {
		return p, nil
	}
	if err := p.match.Add(c.Arm, c.Propensity); err != nil {
		return nil, err
	}
	return p, p.weights.Add(c.Arm, c.Propensity)
}

// propensities are the facts of H04, H05 and H14, nil where none is logged.
func (p *public) propensities() *check.Propensities {
	if p.match == nil {
		return nil
	}
	return &check.Propensities{Allocation: p.match.Test(), Weights: p.weights.Result()}
}
