package rewards

import (
	"context"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/drift"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// purposeDrift is the purpose under which check H13 reads rewards.
const purposeDrift = "check:H13"

// beginDrift books the rewards once more, for check H13, and walk reads them: it looks
// whether the mean of an arm moves, by its known rewards in the order of rounds, whenever
// they became known. Where units own several rows, the
// first row of each unit counts alone, for a unit's later rewards are foretold by
// its earlier ones. Workers share the arms, and each goes through all rows:
// memory is some words for each arm, and one bit for each unit.
func (s *Sample) beginDrift(ctx context.Context) (walk func() error, err error) {
	columns, jobs := []string{tableau.Arm}, max(1, min(s.Facts.Jobs, s.Facts.K()))
	if publiclog.Repeated(s.Facts.Slice) {
		columns, jobs = append(columns, tableau.Unit), 1
	}
	rewards, err := s.Facts.Slice.Disclose(s.Book, purposeDrift, columns...)
	if err != nil {
		return nil, err
	}
	return func() error { return s.readDrift(ctx, rewards, jobs) }, nil
}

// readDrift looks at the arms with jobs workers.
func (s *Sample) readDrift(ctx context.Context, rewards *tableau.Rewards, jobs int) error {
	arms := make([]*drift.Drift, s.Facts.K())
	err := publiclog.EachPart(ctx, s.Facts.Slice, jobs, func(part int) error {
		mine := make([]*drift.Drift, s.Facts.K())
		for arm := part; arm < len(arms); arm += jobs {
			mine[arm] = drift.NewDrift()
			arms[arm] = mine[arm]
		}
		return driftOf(ctx, s.Facts.Log, rewards, mine)
	})
	if err != nil {
		return err
	}
	r := s.Protocol.Reward.Range
	s.Drift = &check.Drift{Arms: drift.Drifts(arms), Lo: r[0], Hi: r[1], FirstOfUnit: publiclog.Repeated(s.Facts.Slice), Binary: s.Facts.Binary(), Contexts: publiclog.ContextDim(s.Facts.Slice) > 0}
	return nil
}

// driftOf goes through the rows for some arms; nil stands for the others.
func driftOf(ctx context.Context, in *publiclog.Log, rewards *tableau.Rewards, arms []*drift.Drift) error {
	var firsts *tableau.Firsts
	if publiclog.Repeated(in.Slice) {
		firsts = in.Slice.Firsts()
	}
	lo, width := in.Protocol.Reward.Range[0], publiclog.RangeWidth(in.Protocol)
	mine := make([]int, len(arms)+1) // by arm + 1: 1 where it is looked at
	for arm, d := range arms {
		if d != nil {
			mine[arm+1] = 1
		}
	}
	var rows []int32 // of the chunk, with a reward of these arms
	return publiclog.EachChunk(ctx, in.Slice, func(i int, c *tableau.Chunk) error {
		y, known := rewards.Chunk(i), rewards.Arms(i) // −1 where the reward is missing
		var first []bool                              // of their units; nil: all rows count
		if firsts != nil {
			first = firsts.Next(c)
		}
		rows = slices.Grow(rows[:0], len(known))[:len(known)]
		n := 0
		for t, arm := range known { // without a branch, which nothing would foretell
			rows[n] = int32(t) // a chunk has at most 2³¹ rows
			n += mine[arm+1]
		}
		for _, t := range rows[:n] {
			if len(first) == 0 || first[t] {
				arms[known[t]].Add((y[t] - lo) / width)
			}
		}
		return nil
	})
}

// MeansDeclared reports whether each arm's mean is declared to be constant.
func MeansDeclared(protocol *schemas.Protocol) bool {
	return protocol.Analysis.Means == schemas.MeansConstant
}

// Moving names the arms, among the given ones, whose means are found to move; nil where
// none is.
func (s *Sample) Moving(arms []int) []string {
	var out []string
	for _, arm := range arms {
		if s.Drift.Arms[arm].Drifts {
			out = append(out, s.Facts.Name(arm)+" "+s.Drift.P(arm))
		}
	}
	return out
}

// Steps say from which step on the means of arms would have been found to move.
func (s *Sample) Steps(arms []int) []string {
	var out []string
	for _, arm := range arms {
		out = append(out, s.Facts.Name(arm)+" "+s.Drift.Step(arm))
	}
	return out
}
