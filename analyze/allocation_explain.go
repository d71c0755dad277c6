package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/adaptive"
	"banditaudit/ingest/decimals"
	"banditaudit/schemas"
)

const (
	// explainRows bounds the rounds on which explanations are tried, the first of
	// the experiment.
	explainRows = 1 << 17
	// explainWork bounds rounds times arms over all experiments of a log: a floor is
	// fitted in about a hundred passes over them, of 2 s in all; explainLeast is what
	// every experiment may take.
	explainWork, explainLeast = 1 << 22, 1 << 18
	// contextRows is after how many rounds a walk looks whether to end.
	contextRows = 1 << 10
	// explanations is how many are tested.
	explanations = 6
	// explainArms bounds the arms of which pairs are exchanged.
	explainArms = 256
)

// explainAllocation looks for what would explain that H05 contradicts the logged
// propensities. An explanation fits where the same test as H05, at the
// propensities that it makes of the logged ones, rejects nothing, and the actions
// are more likely under it. What was fitted to the actions is held against the
// same actions, which lets it pass a little too easily.
func explainAllocation(ctx context.Context, in *Input, ends decimals.Ends) ([]schemas.Hypothesis, error) {
	out := []schemas.Hypothesis{}
	x := &explainer{ctx: ctx, in: in, arms: in.k(), exact: in.Slice.Schema().PropensityByArm, ends: ends}
	x.total = explainable(in.Slice.Rows(), x.arms, len(in.Manifest.Experiments))
	err := in.Slice.Guard(func() error {
		for _, try := range [explanations]func() *schemas.Hypothesis{x.mixture, x.clipped, x.earlier, x.later, x.exchanged, x.uniform} {
			h := try()
			if err := ctx.Err(); err != nil {
				return err // what was tried has not seen all rounds
			}
			if h != nil {
				out = append(out, *h)
			}
			if x.failed != nil {
				return x.failed
			}
		}
		return nil
	})
	x.rank(out)
	return out, err
}

// explainable is the number of rounds that explanations are tried on.
func explainable(rounds int64, arms, experiments int) int64 {
	work := max(explainLeast, explainWork/int64(max(1, experiments)))
	return min(rounds, explainRows, max(1, work/int64(max(1, arms))))
}

// explainer tries explanations of an allocation.
type explainer struct {
	ctx    context.Context //nolint:containedctx // of the one call that it lives for: it ends walks that explanations ask for
	in     *Input
	arms   int
	exact  bool // the propensities of all arms are logged
	ends   decimals.Ends
	total  int64
	gains  map[string]float64 // log-likelihood by words
	failed error
	batch  []int32 // of the round that is visited; empty without batches
}

// rank puts what fits first, then what makes the actions likelier.
func (x *explainer) rank(all []schemas.Hypothesis) {
	slices.SortStableFunc(all, func(p, q schemas.Hypothesis) int {
		switch {
		case p.Fits != q.Fits && p.Fits, p.Fits == q.Fits && x.gains[p.Words] > x.gains[q.Words]:
			return -1
		case p.Fits != q.Fits, x.gains[p.Words] < x.gains[q.Words]:
			return 1
		}
		return 0
	})
}

// rounds visits the rounds that explanations are tried on, of those that are known
// to be drawn by themselves; it ends early with ctx.
func (x *explainer) rounds(visit func(c *adaptive.Choice)) {
	seen, draws := int64(0), x.in.Draws(x.in.Slice)
	firsts := draws.Firsts(x.in.Slice)
	for i := range x.in.Slice.Chunks() {
		chunk := x.in.Slice.Chunk(i)
		drawn := drawnChunk{none: draws.None()}
		if firsts != nil {
			drawn.first = firsts.Next(&chunk)
		}
		row := 0
		c := adaptive.Choice{Eligible: func(arm int) bool { return chunk.Eligible(row, arm) }}
		for ; row < len(chunk.Arm); row++ {
			if seen == x.total || seen%contextRows == 0 && x.ctx.Err() != nil {
				return
			}
			seen++
			if !drawn.draws(row) {
				continue
			}
			if chunk.Batch != nil {
				x.batch = chunk.Batch[row : row+1]
			}
			c.Arm, c.P, c.Choices = int(chunk.Arm[row]), chunk.Propensity[row], x.arms
			if x.exact {
				c.All = chunk.PropensityByArm[row*x.arms : row*x.arms+x.arms]
				c.P = max(c.P, c.All[c.Arm])
			}
			if x.in.Slice.Schema().Eligible {
				c.Choices = 0
				for arm := range x.arms {
					if c.Eligible(arm) {
						c.Choices++
					}
				}
			}
			visit(&c)
		}
	}
}

// hypothesis tests an explanation as H05 tests the logged propensities.
func (x *explainer) hypothesis(name, words string, gain float64, e adaptive.Explanation) *schemas.Hypothesis {
	if x.gains == nil {
		x.gains = map[string]float64{}
	}
	x.gains[words] = gain
	h := &schemas.Hypothesis{Name: name, Words: words, Rows: x.total}
	p := 0.0
	if !math.IsInf(gain, -1) {
		var rejected bool
		if p, rejected = x.test(e); !rejected && gain > 0 {
			h.Fits = true
		}
	}
	h.P = schemas.Finite(p)
	return h
}

// test is H05 at the propensities of an explanation.
func (x *explainer) test(e adaptive.Explanation) (p float64, rejected bool) {
	s := x.in.Slice.Schema()
	exact, match, batches := adaptive.NewExact(x.arms), adaptive.NewAllocation(x.arms), adaptive.NewBatches(x.arms)
	match.Complete = x.in.Manifest.Declared
	exact.Ends, match.Ends, batches.Ends = x.ends, x.ends, x.ends
	if x.exact {
		batches.Together(adaptive.TogetherDraws(x.total, explanations*len(x.in.Manifest.Experiments)))
	}
	var could *adaptive.Opportunity
	if s.Eligible {
		could = adaptive.NewOpportunity(x.arms)
	}
	dst, arm := make([]float64, x.arms), make([]int32, 1)
	if !x.exact {
		dst = dst[:1]
	}
	x.rounds(func(c *adaptive.Choice) {
		arm[0] = int32(c.Arm) //nolint:gosec // there are fewer than 2³¹ arms
		e(dst, c)
		eligible := func(_, arm int) bool { return c.Eligible(arm) }
		if could != nil {
			could.Add(1, eligible)
		}
		var err error
		if x.exact {
			err = exact.Add(arm, dst)
			batches.AddExact(x.batch, arm[:len(x.batch)], dst)
		} else {
			err = match.Add(arm, dst)
			batches.AddLogged(x.batch, arm[:len(x.batch)], dst, eligible)
		}
		if err != nil && x.failed == nil {
			x.failed = fmt.Errorf("explaining the allocation: %w", err)
		}
	})
	var apart *adaptive.BatchResult
	if s.Batch {
		apart = batches.Result()
	}
	var r adaptive.AllocationResult
	if x.exact {
		r = exact.Test(x.in.allocationLevel(), apart)
	} else {
		r = match.Test(x.in.allocationLevel(), could, apart)
	}
	return math.Exp(r.LogP), r.Rejected
}

// lead says how much likelier actions are than under the logged propensities.
func lead(gain float64) string {
	switch {
	case math.IsInf(gain, -1):
		return "an action of the log would have been impossible"
	case gain < 0:
		return fmt.Sprintf("the actions are less likely than as logged, by %.3g nats", -gain)
	}
	return fmt.Sprintf("the actions are likelier than as logged, by %.3g nats", gain)
}
