package rerandomize

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/schemas"
)

// rerunRecords is a log in memory, by row of the experiment: what moves with a record,
// and what stays at its place in the order of rounds.
type rerunRecords struct {
	arms   int
	arm    []int32
	reward []float64 // as the policy saw it, in the units of the protocol's range; NaN: missing
	lag    []int32   // rounds until it was known; neverLag where no round came after; nil: none has to wait
	x      []float64 // context, d numbers a row
	byArm  []float64 // context of every arm, w numbers a row
	scores []float64 // of every arm
	d, w   int

	stratum []int64 // of the record, as contexts are; nil: none

	eligible []bool  // of the place: by arm; nil: all always
	batch    []int32 // of the place; nil: none
	lagStays bool    // the lag belongs to the place, and not to the record

	first []bool // the row is the first of its unit; nil where a unit owns one row

	number []int64 // of the place, as logged; nil but for a program

	constant bool // the same arms could be played in every row
	unit     int  // rows of every unit, where all have as many and follow one another; else 0
}

// neverLag is the lag of a reward that no round came after.
const neverLag = -1

func (r *rerunRecords) rounds() int { return len(r.arm) }

// known is the row after which the reward of a record that was met in row t is known,
// and false where the log ends before.
func (r *rerunRecords) known(t int, record int32) (int64, bool) {
	if r.lag == nil {
		return int64(t), true
	}
	lag := r.lag[record]
	if r.lagStays {
		lag = r.lag[t]
	}
	return int64(t) + int64(lag), lag != neverLag
}

// rerunBytes is about the memory of the records of an experiment and of their runs.
func (s *Subject) rerunBytes(q Question, jobs int) int64 {
	schema := s.Facts.Slice.Schema()
	row := 8 + 8 + 4 + 4 + 4 + 8 + 4*int64(jobs) // reward, rescaled, arm, groups, their members, residuals; order
	row += 8 * int64(schema.ContextDim+schema.ContextByArm*s.Facts.K())
	if schema.ScoreByArm {
		row += 8 * int64(s.Facts.K())
	}
	if s.Protocol.Program != nil {
		row += 8 + 4 + 8 + 8 + 8 // numbers; one run twice
	}
	if q.shifts(s.Facts.Log) {
		row += 8 + 8 + 8 // rewards less the shift, rescaled, centred
	}
	if schema.RewardRound {
		row += 4 + 8
	}
	if schema.Batch {
		row += 4
	}
	if schema.Unit {
		row += 1 + 8 // first rows, and their rewards
	}
	if schema.Stratum {
		row += 8
	}
	if schema.Eligible {
		row += int64(s.Facts.K())
	}
	return row * s.Facts.Slice.Rows()
}

// mostRerunBytes bounds what is held by any one worker: a log of more is not run again,
// whatever the machine.
const mostRerunBytes = 1 << 28

// affordRerun refuses what would take more than half of the memory, and says by how many
// workers runs may be made.
func (s *Subject) affordRerun(q Question) (jobs int, err error) {
	jobs = max(1, s.Facts.Jobs)
	if s.Protocol.Program != nil {
		jobs = programreplay.MostTogether
	}
	for ; jobs > 1 && s.Protocol.Program == nil && s.Facts.Memory > 0 && s.rerunBytes(q, jobs) > s.Facts.Memory/2; jobs-- {
	}
	if need := s.rerunBytes(q, jobs); s.Facts.Memory > 0 && need > s.Facts.Memory/2 {
		const mib = 1 << 20
		return 0, fmt.Errorf("%w: the records of %s, which the declared policy is run on again (method %s), take about %d MiB, and half of the %d MiB allowed may be used; raise --max-memory",
			publiclog.ErrMemory, schemas.Counted(s.Facts.Slice.Rows(), "round"), schemas.MethodRerun, need/mib, s.Facts.Memory/mib)
	}
	return jobs, nil
}

// readRerunRecords reads what is public of an experiment. It reads no reward.
func (s *Subject) readRerunRecords(ctx context.Context) (*rerunRecords, error) {
	schema := s.Facts.Slice.Schema()
	r := &rerunRecords{arms: s.Facts.K(), d: schema.ContextDim, w: schema.ContextByArm * s.Facts.K(), constant: true}
	w := &rerunWalk{rerunRecords: r, current: -1, rows: -1}
	var firsts *tableau.Firsts
	if publiclog.Repeated(s.Facts.Slice) {
		firsts = s.Facts.Slice.Firsts()
	}
	err := publiclog.EachChunk(ctx, s.Facts.Slice, func(_ int, c *tableau.Chunk) error {
		w.chunk(c, schema)
		if firsts != nil {
			r.first = append(r.first, firsts.Next(c)...)
		}
		if s.Protocol.Program != nil {
			r.number = append(r.number, c.Round...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w.finish(s.Facts.Slice.UnitCount())
	return r, nil
}

// rerunWalk goes over the rows in their order.
type rerunWalk struct {
	*rerunRecords

	round, until []int64 // of the rows, where rewards are known later
	current      int64   // unit of the row before
	length, rows int64   // rows of the unit so far, and of every unit before; −1: none yet, 0: not alike
	runs         int64   // of rows of one unit
}

func (w *rerunWalk) chunk(c *tableau.Chunk, s tableau.Schema) {
	w.arm = append(w.arm, c.Arm...)
	w.byArm = append(w.byArm, c.ContextByArm...)
	w.scores = append(w.scores, c.ScoreByArm...)
	w.batch = append(w.batch, c.Batch...)
	w.stratum = append(w.stratum, c.Stratum...)
	if s.ContextDim > 0 {
		for t := range c.Arm {
			for _, column := range c.X {
				w.x = append(w.x, column[t])
			}
		}
	}
	if s.Eligible {
		for t := range c.Arm {
			for a := range w.arms {
				w.eligible = append(w.eligible, c.Eligible(t, a))
			}
			w.constant = w.constant && slices.Equal(w.eligible[len(w.eligible)-w.arms:], w.eligible[:w.arms])
		}
	}
	if s.RewardRound {
		w.round, w.until = append(w.round, c.Round...), append(w.until, c.RewardRound...)
	}
	for _, unit := range c.Unit {
		if unit != w.current {
			w.endUnit()
			w.current = unit
			w.runs++
		}
		w.length++
	}
}

// endUnit compares the number of rows of a unit with the number of the units before.
func (w *rerunWalk) endUnit() {
	switch {
	case w.length == 0:
	case w.rows == -1:
		w.rows = w.length
	case w.rows != w.length:
		w.rows = 0
	}
	w.length = 0
}

// finish turns rounds in which rewards were known into lags, and says whether units
// follow one another.
func (w *rerunWalk) finish(units int64) {
	w.endUnit()
	if w.rows > 0 && w.runs == units && w.rows <= math.MaxInt32 {
		w.unit = int(w.rows)
	}
	last := len(w.round) - 1
	for t, until := range w.until {
		known := last
		if until < w.round[last] {
			known = sort.Search(last, func(i int) bool { return w.round[i] > until }) - 1
		}
		lag := int32(neverLag)
		if known < last {
			lag = int32(known - t) //nolint:gosec // rows of an experiment that is held are below 2³¹
		}
		w.lag = append(w.lag, lag)
	}
}

// readRewards reads the rewards through the gate, for a purpose of their own.
func (s *Subject) readRewards(ctx context.Context, r *rerunRecords, purpose string, columns ...string) error {
	rewards, err := s.Facts.Slice.Disclose(s.Book, purpose, columns...)
	if err != nil {
		return err
	}
	r.reward = make([]float64, 0, r.rounds())
	return publiclog.EachChunk(ctx, s.Facts.Slice, func(i int, _ *tableau.Chunk) error {
		r.reward = append(r.reward, rewards.Chunk(i)...)
		return nil
	})
}

// rescaled are the rewards of the records in [0,1]: the same slice where they are.
func rescaled(protocol *schemas.Protocol, r *rerunRecords) []float64 {
	lo := protocol.Reward.Range[0]
	if lo == 0 && publiclog.RangeWidth(protocol) == 1 {
		return r.reward
	}
	out := make([]float64, len(r.reward))
	rescale(out, r.reward, lo, publiclog.RangeWidth(protocol))
	return out
}

// rescale writes rewards to out as parts of a range. The slices may be one.
func rescale(out, rewards []float64, lo, width float64) {
	for t, y := range rewards {
		out[t] = (y - lo) / width
	}
}
