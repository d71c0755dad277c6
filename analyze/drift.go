package analyze

import (
	"context"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/analyze/facts"
	"banditaudit/ingest/tableau"
)

// purposeDrift is the purpose under which check H13 reads rewards.
const purposeDrift = "check:H13"

// driftColumns are the public columns that are read with them.
func driftColumns(slice *tableau.Slice) []string {
	if facts.Repeated(slice) {
		return []string{tableau.Arm, tableau.Unit}
	}
	return []string{tableau.Arm}
}

// lookForDrift reads the rewards once more, for check H13.
func (s *sample) lookForDrift(ctx context.Context) error {
	rewards, err := s.Slice.Disclose(s.book, purposeDrift, driftColumns(s.Slice)...)
	if err != nil {
		return err
	}
	s.drift, err = s.readDrift(ctx, rewards)
	return err
}

// readDrift looks whether the mean of an arm moves, by its known rewards in the
// order of rounds, whenever they became known. Where units own several rows, the
// first row of each unit counts alone, for a unit's later rewards are foretold by
// its earlier ones. Workers share the arms, and each goes through all rows:
// memory is some words for each arm, and one bit for each unit.
func (s *sample) readDrift(ctx context.Context, rewards *tableau.Rewards) (*check.Drift, error) {
	jobs := max(1, min(s.Jobs, s.K()))
	if facts.Repeated(s.Slice) {
		jobs = 1
	}
	w := facts.NewWave(s.Slice, jobs, func(part int) ([]*adaptive.Drift, error) {
		return driftOf(ctx, s.Log, rewards, part, jobs)
	}, nil)
	arms := make([]*adaptive.Drift, s.K())
	w.Merge = func(part []*adaptive.Drift) error {
		for arm, d := range part {
			if d != nil {
				arms[arm] = d
			}
		}
		return nil
	}
	for part := range jobs {
		if err := w.Push(ctx, part); err != nil {
			return nil, err
		}
	}
	if err := w.Flush(ctx); err != nil {
		return nil, err
	}
	r := s.Protocol.Reward.Range
	return &check.Drift{Arms: adaptive.Drifts(arms), Lo: r[0], Hi: r[1], FirstOfUnit: facts.Repeated(s.Slice), Binary: s.Binary(), Contexts: facts.ContextDim(s.Slice) > 0}, nil
}

// driftOf goes through the rows for every jobs-th arm from part on; nil stands
// for the others.
func driftOf(ctx context.Context, in *facts.Log, rewards *tableau.Rewards, part, jobs int) ([]*adaptive.Drift, error) {
	arms := make([]*adaptive.Drift, in.K())
	for arm := part; arm < len(arms); arm += jobs {
		arms[arm] = adaptive.NewDrift()
	}
	var units firstRows
	if facts.Repeated(in.Slice) {
		units = newFirstRows(in.Slice.UnitCount())
	}
	lo, width := in.Protocol.Reward.Range[0], facts.RangeWidth(in.Protocol)
	for i := range in.Slice.Chunks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, y := in.Slice.Chunk(i), rewards.Chunk(i)
		for t, arm := range rewards.Arms(i) { // −1 where the reward is missing
			first := units == nil || units.first(c.Unit[t])
			if arm >= 0 && first && arms[arm] != nil {
				arms[arm].Add((y[t] - lo) / width)
			}
		}
	}
	return arms, nil
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
