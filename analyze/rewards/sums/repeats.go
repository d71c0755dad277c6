package rewards

import (
	"context"
	"math"
	"math/bits"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/tableau"
)

const (
	purposeRepeats = "check:H02"

	// repeatBits is how many changes of rewards a log that repeats itself must have in one
	// copy, beside log₂ of the experiments. Where the rewards of an arm are drawn
	// independently from one distribution, a log of c changes (rewards that differ from the
	// one before of the same arm) repeats itself, as a whole or row by row, with
	// probability at most
	//
	//	Π_t p(y_t) ≤ exp(−Σ_a m_a·H(p̂_a)) ≤ 2^−c,
	//
	// whatever policy chose the arms: t over the m rows of one copy, p̂ the shares of
	// values among the m_a of an arm and H their entropy, for no p makes these rows more
	// probable than p̂. Of an arm c ≤ 2·(m − m_max), m_max rows having the commonest value,
	// and m·H ≥ 2·ln 2·(m − m_max) where that is half of them or more, else m·H ≥ m·ln 2.
	// Where rewards stay for a while, as in a sorted log, a run of them has a length that
	// is a multiple of k with probability at most 1/k, and there are c + 1. Two ways of
	// repeating are looked for: 2^−39 < 2·10⁻¹² in all experiments of a log.
	repeatBits = 40

	// mostCells bounds the memory for arms and contexts that are met again: 40 bytes each.
	mostCells = 1 << 16
)

// readRepeats books the rewards once more, and looks whether the log repeats itself: whether
// every row stands k times in a row, and whether all rows are copies of the first of them,
// one after the other. It compares rows bit by bit, in all columns but those that say when
// a round was, and stops at the first that differs: of most logs it sees a few rows.
//
// Special cases are:
//
//	no arm's reward varies: not looked for, as a policy that goes in turns repeats itself
func (s *Sample) readRepeats(ctx context.Context) error {
	s.Repeats = &check.Repeats{Copies: 1, InRow: 1}
	columns := s.Facts.Slice.Contents()
	if s.Facts.Slice.Schema().ContextByArm == 0 {
		columns = append(columns, s.Facts.ContextNames()...)
	}
	rewards, err := s.Facts.Slice.Disclose(s.Book, purposeRepeats, columns...)
	if err != nil || !s.varies() {
		return err
	}
	return s.Facts.Slice.Guard(func() error {
		w := &rowWalk{ctx, rewards, s.Facts.Slice.Rows()}
		inRow, err := w.inRow()
		if err != nil {
			return err
		}
		period, err := w.period()
		if err != nil || inRow == 1 && period == w.rows {
			return err
		}
		changes, err := w.changes(s, period, inRow)
		if err != nil || changes < repeatBits+int64(bits.Len(uint(max(1, s.Facts.Whole().Experiments)))) {
			return err
		}
		first := period
		if inRow > 1 {
			first = 1
		}
		chunk, at := s.Facts.Slice.Locate(first)
		s.Repeats = &check.Repeats{Copies: w.rows / period, InRow: inRow, Round: s.Facts.Slice.Chunk(chunk).Round[at]}
		return nil
	})
}

// varies reports whether the known rewards of an arm are not all equal.
func (s *Sample) varies() bool {
	for arm := range s.Scalar {
		if s.Scalar[arm].M2 > 0 {
			return true
		}
	}
	return false
}

// rowWalk compares rows of an experiment.
type rowWalk struct {
	ctx     context.Context
	rewards *tableau.Rewards
	rows    int64
}

// goesOn is the error of the context, which is asked every now and then.
func (w *rowWalk) goesOn(row int64) error {
	const often = 1 << 16
	if row%often != 0 {
		return nil
	}
	return w.ctx.Err()
}

// inRow is the largest k such that every row stands k times in a row, or a multiple of it:
// the greatest common divisor of the lengths of runs of equal rows.
func (w *rowWalk) inRow() (k int64, err error) {
	run := int64(1)
	for row := int64(1); row < w.rows; row++ {
		if err = w.goesOn(row); err != nil {
			return 1, err
		}
		if w.rewards.Same(row-1, row) {
			run++
			continue
		}
		if k, run = divisor(k, run), 1; k == 1 {
			return 1, nil
		}
	}
	return divisor(k, run), nil
}

// divisor returns the greatest common divisor; of 0 and b it is b.
func divisor(a, b int64) int64 {
	for a != 0 {
		a, b = b%a, a
	}
	return b
}

// period is the least divisor of the number of rows such that all rows are copies of so
// many first ones; the number of rows where there is none. What has two such periods
// repeats itself by their greatest common divisor too (Fine and Wilf 1965), so that one
// prime is taken off after the other.
func (w *rowWalk) period() (int64, error) {
	period := w.rows
	for prime, left := int64(2), w.rows; left > 1; {
		switch {
		case prime*prime > left:
			prime = left
		case left%prime != 0:
			prime++
			continue
		}
		left /= prime
		repeats, err := w.repeats(period / prime)
		if err != nil {
			return period, err
		}
		if repeats {
			period /= prime
		}
	}
	return period, nil
}

// repeats reports whether every row is the same as the row period rows before it.
func (w *rowWalk) repeats(period int64) (bool, error) {
	for row := period; row < w.rows; row++ {
		if err := w.goesOn(row); err != nil {
			return false, err
		}
		if !w.rewards.Same(row-period, row) {
			return false, nil
		}
	}
	return true, nil
}

// changes counts the rewards that differ from the one before of the same arm. It reads
// every step-th of the first rows rows: each row stands step times in succession. Where
// most rows have an earlier row of the same arm, contexts and whatever else is logged, only
// rewards are counted that differ from the reward of that row: contexts may go in turns
// too, and rewards may follow them.
func (w *rowWalk) changes(s *Sample, rows, step int64) (int64, error) {
	arms, cells := newChanges(s.Facts.K()), newChanges(mostCells)
	for row := int64(0); row < rows; row += step {
		if err := w.goesOn(row); err != nil {
			return 0, err
		}
		chunk, at := s.Facts.Slice.Locate(row)
		y := w.rewards.Chunk(chunk)[at]
		if math.IsNaN(y) {
			continue
		}
		arms.add(uint64(s.Facts.Slice.Chunk(chunk).Arm[at]), y) //nolint:gosec // an arm is not negative
		cells.add(w.rewards.ContentHash(row), y)
	}
	if 2*cells.met >= arms.met {
		return cells.changed, nil
	}
	return arms.changed, nil
}

// changed counts rewards by what they differ from.
type changed struct {
	last         map[uint64]float64
	most         int
	met, changed int64 // rewards with one before them, and how many of these differ from it
}

func newChanges(most int) *changed { return &changed{last: map[uint64]float64{}, most: most} }

// add takes up the next reward of a cell.
func (c *changed) add(cell uint64, y float64) {
	last, known := c.last[cell]
	if known {
		c.met++
		if last != y {
			c.changed++
		}
	}
	if known || len(c.last) < c.most {
		c.last[cell] = y
	}
}
