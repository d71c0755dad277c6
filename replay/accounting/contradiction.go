package accounting

import (
	"context"
	"fmt"
	"math"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Contradiction is something in the public columns that no log of the declared
// mechanism has, whatever its seed.
type Contradiction struct {
	Round int64  // the first such round of the log
	Arm   int    // that was played in it
	Words string // what is wrong; no context is in it

	Row int64 // row within the experiment, from 0
}

// Contradicts says whether the public columns of an experiment alone show that
// the mechanism m, over arms, did not write it; nil where they do not. There
// are two such things:
//
//	a stream of some arm had more rows when the policy last learned than the
//	counter takes (its horizon, or the end of its grid)
//	for a linear policy over a counter with noise, the context of a played
//	arm is longer than the bound for which its noise is declared
//
// Rewards are not read. Contradicts returns the same errors as Account.
func (d *Declared) Contradicts(ctx context.Context, s *tableau.Slice) (*Contradiction, error) {
	var out *Contradiction
	err := s.Guard(func() error {
		e := &Experiment{Declared: d, Context: ctx, Slice: s}
		err := e.Contradict()
		out = e.Against
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("accounting: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, nil
}

// Contradict sets Against.
func (e *Experiment) Contradict() error {
	long, err := e.longContexts()
	if err != nil {
		return err
	}
	full, err := e.fullStream()
	if err != nil {
		return err
	}
	switch {
	case full == nil:
		e.Against = long
	case long == nil:
		e.Against = full
	default:
		e.Against = full
		if long.Round < full.Round {
			e.Against = long
		}
		e.Against.Words = full.Words + "; and " + long.Words
	}
	return nil
}

// fullStream looks for the first row to arrive at a stream that was full.
func (e *Experiment) fullStream() (*Contradiction, error) {
	most := e.Mechanism.Capacity()
	if e.Slice.Rows() <= most {
		return nil, nil //nolint:nilnil // no contradiction is no error
	}
	k, err := e.learned()
	if err != nil {
		return nil, err
	}
	var out *Contradiction
	err = e.arrivals(&k, false, func(at *arrival) error {
		if out != nil || at.place <= most {
			return nil
		}
		i, row := e.Slice.Locate(at.row)
		c := e.Slice.Chunk(i)
		out = &Contradiction{Round: c.Round[row], Arm: at.arm, Row: at.row}
		out.Words = fmt.Sprintf("arm %s had %s rows when the policy last learned, and the counter of %s takes at most %s of one arm with the declared horizon and grid; the first too many is that of round %s",
			schemas.Named(e.Arms[at.arm]), schemas.Grouped(k.read[at.from]), e.Mechanism.Law().Name(), schemas.Grouped(most), schemas.Grouped(out.Round))
		return nil
	})
	return out, err
}

// longContexts looks for contexts of played arms that are longer than declared.
func (e *Experiment) longContexts() (*Contradiction, error) {
	fits := e.Mechanism.ContextFits()
	if fits == nil {
		return nil, nil //nolint:nilnil // no contradiction is no error
	}
	var out *Contradiction
	var x []float64
	rows := int64(0)
	for i := range e.Slice.Chunks() {
		if err := e.Context.Err(); err != nil {
			return nil, err
		}
		c := e.Slice.Chunk(i)
		for row, arm := range c.Arm {
			if arm < 0 || int(arm) >= len(e.Arms) || int(arm) >= e.Slice.Arms() {
				return nil, ErrArm
			}
			if x = e.played(&c, row, x[:0]); fits(x) {
				continue
			}
			if rows++; out == nil {
				out = &Contradiction{Round: c.Round[row], Arm: int(arm), Row: c.Start + int64(row)}
			}
		}
	}
	if out != nil {
		out.Words = fmt.Sprintf("the context of the played arm is longer than the declared policy.context_l1 in %s of %s rounds, first in round %s",
			schemas.Grouped(rows), schemas.Grouped(e.Slice.Rows()), schemas.Grouped(out.Round))
	}
	return out, nil
}

// played appends the context of the arm that a row played to x.
func (e *Experiment) played(c *tableau.Chunk, row int, x []float64) []float64 {
	if v := c.ContextByArm; v != nil {
		d := len(v) / len(c.Arm) / e.Slice.Arms()
		from := (row*e.Slice.Arms() + int(c.Arm[row])) * d
		return append(x, v[from:from+d]...)
	}
	for _, column := range c.X {
		x = append(x, column[row])
	}
	return x
}

// unbounded is the law of a log that its mechanism did not write: nothing says
// what a row of it cost. Its ε stays the ε of the mechanism.
type unbounded struct{ ledger.Law }

var _ ledger.Coster = unbounded{}

// Cost returns ∞ for every row of the stream.
func (unbounded) Cost(n, size int64) ledger.Loss {
	if n < 1 || n > size {
		return ledger.Loss{}
	}
	return ledger.Infinite()
}

// Costs returns +Inf for every row of the stream.
func (unbounded) Costs(size int64) func(n int64) float64 {
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		return math.Inf(1)
	}
}

// Levels returns the single level ∞.
func (unbounded) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Cost: ledger.Infinite(), Rows: size}}
}

// contradictionNote stands before the notes of an accounting.
func (e *Experiment) contradictionNote() []string {
	if e.Against == nil {
		return nil
	}
	return []string{"The declared mechanism did not write this log: " + e.Against.Words + ". What its rows cost is not bounded; ε is that of the mechanism."}
}
