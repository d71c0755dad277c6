package allocation

import (
	"context"
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/precision"
	"banditaudit/replay/diagnose"
	"banditaudit/replay/policy/bitexact"
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
)

// Explain looks for what would explain that H05 contradicts the logged
// propensities. An explanation is tested by the test of H05.
func Explain(ctx context.Context, in *publiclog.Log, ends precision.Ends) ([]schemas.Hypothesis, error) {
	x := &blamed{ctx: ctx, in: in, arms: in.K(), exact: in.Slice.Schema().PropensityByArm, ends: ends}
	x.total = explainable(in.Slice.Rows(), x.arms, in.Whole().Experiments)
	actions := &diagnose.Actions{Context: ctx, Rounds: x.rounds, Arms: x.arms, Total: x.total, ByArm: x.exact, Name: in.Name, Test: x.test}
	var out []schemas.Hypothesis
	err := in.Slice.Guard(func() (err error) {
		out, err = actions.Explain(diagnose.All())
		return err
	})
	return out, err
}

// explainable is the number of rounds that explanations are tried on.
func explainable(rounds int64, arms, experiments int) int64 {
	work := max(explainLeast, explainWork/int64(max(1, experiments)))
	return min(rounds, explainRows, max(1, work/int64(max(1, arms))))
}

// blamed are the drawn rounds of an experiment whose allocation is explained.
type blamed struct {
	ctx   context.Context //nolint:containedctx // of the one call that it lives for: it ends walks that explanations ask for
	in    *publiclog.Log
	arms  int
	exact bool // the propensities of all arms are logged
	ends  precision.Ends
	total int64
	batch []int32 // of the round that is visited; empty without batches
}

// rounds visits the rounds that explanations are tried on, of those that are known
// to be drawn by themselves; it ends early with ctx.
func (x *blamed) rounds(visit func(r *diagnose.Row)) {
	seen, draws := int64(0), x.in.Declared.Draws(x.in.Slice)
	firsts := draws.Firsts(x.in.Slice)
	r := diagnose.Row{Arms: x.arms}
	if x.in.Slice.Schema().Eligible {
		r.Eligible = make([]bool, x.arms)
	}
	for i := range x.in.Slice.Chunks() {
		chunk := x.in.Slice.Chunk(i)
		drawn := publiclog.DrawnChunk{None: draws.None()}
		if firsts != nil {
			drawn.First = firsts.Next(&chunk)
		}
		for row := range chunk.Arm {
			if seen == x.total || seen%contextRows == 0 && x.ctx.Err() != nil {
				return
			}
			seen++
			if !drawn.Draws(row) {
				continue
			}
			if chunk.Batch != nil {
				x.batch = chunk.Batch[row : row+1]
			}
			r.Row, r.Arm, r.P = chunk.Start+int64(row), int(chunk.Arm[row]), chunk.Propensity[row]
			if x.exact {
				r.ByArm = chunk.PropensityByArm[row*x.arms : row*x.arms+x.arms]
				r.P = max(r.P, r.ByArm[r.Arm])
			}
			for arm := range r.Eligible {
				r.Eligible[arm] = chunk.Eligible(row, arm)
			}
			visit(&r)
		}
	}
}

// test is H05 at the propensities of a law.
func (x *blamed) test(law diagnose.Law) (p float64, rejected bool, err error) {
	s := x.in.Slice.Schema()
	exact, match, batches := allocationtest.NewExact(x.arms), allocationtest.NewAllocation(x.arms), allocationtest.NewBatches(x.arms)
	match.Complete = x.in.Manifest.Declared
	exact.Ends, match.Ends, batches.Ends = x.ends, x.ends, x.ends
	if x.exact {
		batches.Together(allocationtest.TogetherDraws(x.total, explanations*x.in.Whole().Experiments))
	}
	var could *allocationtest.Opportunity
	if s.Eligible {
		could = allocationtest.NewOpportunity(x.arms)
	}
	dst, arm := make([]float64, x.arms), make([]int32, 1)
	x.rounds(func(r *diagnose.Row) {
		arm[0] = int32(r.Arm) //nolint:gosec // there are fewer than 2³¹ arms
		want := r.Under(law, dst)
		eligible := func(_, arm int) bool { return len(r.Eligible) == 0 || r.Eligible[arm] }
		if could != nil {
			could.Add(1, eligible, nil)
		}
		var failed error
		if x.exact {
			failed = exact.Add(arm, want, nil)
			batches.AddExact(x.batch, arm[:len(x.batch)], want)
		} else {
			failed = match.Add(arm, want)
			batches.AddLogged(x.batch, arm[:len(x.batch)], want, eligible)
		}
		if failed != nil && err == nil {
			err = fmt.Errorf("explaining the allocation: %w", failed)
		}
	})
	var apart *allocationtest.BatchResult
	if s.Batch {
		apart = batches.Result()
	}
	var r allocationtest.AllocationResult
	if x.exact {
		r = exact.Test(x.in.Whole().AllocationLevel(), apart)
	} else {
		r = match.Test(x.in.Whole().AllocationLevel(), could, apart)
	}
	return bitexact.Exp(r.LogP), r.Rejected, err
}
