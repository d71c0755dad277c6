package rewards

import (
	"context"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/analyze/facts"
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
	columns, jobs := []string{tableau.Arm}, max(1, min(s.Jobs, s.K()))
	if facts.Repeated(s.Slice) {
		columns, jobs = append(columns, tableau.Unit), 1
	}
	rewards, err := s.Slice.Disclose(s.Book, purposeDrift, columns...)
	if err != nil {
		return nil, err
	}
	return func() error { return s.readDrift(ctx, rewards, jobs) }, nil
}

// readDrift looks at the arms with so many workers.
func (s *Sample) readDrift(ctx context.Context, rewards *tableau.Rewards, jobs int) error {
	arms := make([]*adaptive.Drift, s.K())
	err := facts.EachPart(ctx, s.Slice, jobs, func(part int) error {
		mine := make([]*adaptive.Drift, s.K())
		for arm := part; arm < len(arms); arm += jobs {
			mine[arm] = adaptive.NewDrift()
			arms[arm] = mine[arm]
		}
		return driftOf(ctx, s.Log, rewards, mine)
	})
	if err != nil {
		return err
	}
	r := s.Protocol.Reward.Range
	s.Drift = &check.Drift{Arms: adaptive.Drifts(arms), Lo: r[0], Hi: r[1], FirstOfUnit: facts.Repeated(s.Slice), Binary: s.Binary(), Contexts: facts.ContextDim(s.Slice) > 0}
	return nil
}

// driftOf goes through the rows for some arms; nil stands for the others.
func driftOf(ctx context.Context, in *facts.Log, rewards *tableau.Rewards, arms []*adaptive.Drift) error {
	var firsts *tableau.Firsts
	if facts.Repeated(in.Slice) {
		firsts = in.Slice.Firsts()
	}
	lo, width := in.Protocol.Reward.Range[0], facts.RangeWidth(in.Protocol)
	return facts.EachChunk(ctx, in.Slice, func(i int, c *tableau.Chunk) error {
		y := rewards.Chunk(i)
		var first []bool // of their units; nil: all rows count
		if firsts != nil {
			first = firsts.Next(c)
		}
		for t, arm := range rewards.Arms(i) { // −1 where the reward is missing
			if arm >= 0 && arms[arm] != nil && (t >= len(first) || first[t]) {
				arms[arm].Add((y[t] - lo) / width)
			}
		}
		return nil
	})
}

// MeansDeclared reports whether each arm's mean is declared to be constant.
func MeansDeclared(protocol *schemas.Protocol) bool {
	return protocol.Analysis.Means == schemas.MeansConstant
}

// Moving names those of arms whose means are found to move, nil where none is.
func (s *Sample) Moving(arms []int) []string {
	var out []string
	for _, arm := range arms {
		if s.Drift.Arms[arm].Moves {
			out = append(out, s.Name(arm)+" "+s.Drift.P(arm))
		}
	}
	return out
}

// Steps say from which step on the means of arms would have been found to move.
func (s *Sample) Steps(arms []int) []string {
	var out []string
	for _, arm := range arms {
		out = append(out, s.Name(arm)+" "+s.Drift.Step(arm))
	}
	return out
}
