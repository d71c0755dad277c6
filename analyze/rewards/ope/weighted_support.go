package ope

import (
	"context"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
)

// supportPart is what a chunk adds to what is known of all rounds before their arms were
// drawn.
type supportPart struct {
	arms   []ipw.Overlap
	values map[string]*ipw.ExpectedWeights // of evaluated policies, by their ids
}

// readSupport goes over the propensities of all arms where some rewards are missing: which
// rounds had a low one, and in which an evaluated policy has a large weight, is then known of
// all rounds, and not only of those whose reward is. It reads no rewards.
func (r *weightedReader) readSupport(ctx context.Context) error {
	total := r.newSupport()
	err := publiclog.FoldDraws(ctx, r.facts.Log, r.support, func(part *supportPart) {
		for arm := range total.arms {
			total.arms[arm].Merge(&part.arms[arm])
		}
		for id, v := range part.values {
			total.values[id].Merge(v)
		}
	})
	if err != nil {
		return err
	}
	for arm := range total.arms {
		for weighting := range r.weighted.weighings() {
			r.weighted.arms.AIPW(weighting, arm).Over(&total.arms[arm])
		}
	}
	for id, v := range total.values {
		r.weighted.values[id].Over(v)
	}
	return nil
}

func (r *weightedReader) newSupport() *supportPart {
	out := &supportPart{arms: make([]ipw.Overlap, r.facts.K()), values: map[string]*ipw.ExpectedWeights{}}
	for _, t := range standing(r.facts.Log) {
		out.values[t.id] = &ipw.ExpectedWeights{}
	}
	return out
}

// everyProbability gives the propensities of all arms, also where rewards are missing.
func (r *weightedReader) everyProbability() *probabilities {
	p := r.newProbabilities()
	p.all = true
	return p
}

// support are the rounds of a chunk, by arm and by policy.
func (r *weightedReader) support(i publiclog.DrawnChunk) (*supportPart, error) {
	out, c, p, targets := r.newSupport(), r.facts.Slice.Chunk(i.Chunk), r.everyProbability(), standing(r.facts.Log)
	for row := range c.Arm {
		if !i.Draws(row) {
			continue
		}
		all := p.of(&c, row)
		for arm, q := range all {
			out.arms[arm].Round(q)
		}
		for _, t := range targets {
			out.values[t.id].Add(t.of(&c, row), all, t.clip)
		}
	}
	return out, nil
}
