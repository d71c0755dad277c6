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

// driftColumns are the public columns that are read with them.
func driftColumns(slice *tableau.Slice) []string {
	if facts.Repeated(slice) {
		return []string{"arm", "unit"}
	}
	return []string{"arm"}
}

// lookForDrift reads the rewards once more, for check H13.
func (s *Sample) lookForDrift(ctx context.Context) error {
	rewards, err := s.Slice.Disclose(s.Book, purposeDrift, driftColumns(s.Slice)...)
	if err != nil {
		return err
	}
	s.Drift, err = s.readDrift(ctx, rewards)
	return err
}

// readDrift looks whether the mean of an arm moves, by its known rewards in the
// order of rounds, whenever they became known. Where units own several rows, the
// first row of each unit counts alone, for a unit's later rewards are foretold by
// its earlier ones. Workers share the arms, and each goes through all rows:
// memory is some words for each arm, and one bit for each unit.
func (s *Sample) readDrift(ctx context.Context, rewards *tableau.Rewards) (*check.Drift, error) {
	jobs := max(1, min(s.Jobs, s.K()))
	if facts.Repeated(s.Slice) {
		jobs = 1
	}
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
		return nil, err
	}
	r := s.Protocol.Reward.Range
	return &check.Drift{Arms: adaptive.Drifts(arms), Lo: r[0], Hi: r[1], FirstOfUnit: facts.Repeated(s.Slice), Binary: s.Binary(), Contexts: facts.ContextDim(s.Slice) > 0}, nil
}

// driftOf goes through the rows for some arms; nil stands for the others.
func driftOf(ctx context.Context, in *facts.Log, rewards *tableau.Rewards, arms []*adaptive.Drift) error {
	var units firstRows
	if facts.Repeated(in.Slice) {
		units = newFirstRows(in.Slice.UnitCount())
	}
	lo, width := in.Protocol.Reward.Range[0], facts.RangeWidth(in.Protocol)
	return facts.EachChunk(ctx, in.Slice, func(i int, c *tableau.Chunk) error {
		y := rewards.Chunk(i)
		for t, arm := range rewards.Arms(i) { // −1 where the reward is missing
			first := units == nil || units.first(c.Unit[t])
			if arm >= 0 && first && arms[arm] != nil {
				arms[arm].Add((y[t] - lo) / width)
			}
		}
		return nil
	})
}

// firstRows knows which units were met: one bit each.
type firstRows []uint64

func newFirstRows(units int64) firstRows { return make(firstRows, (units+63)/64) }

// first reports whether a unit is met for the first time.
func (f firstRows) first(unit int64) bool {
	word, bit := &f[unit/64], uint64(1)<<(unit%64)
	met := *word&bit != 0
	*word |= bit
	return !met
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
