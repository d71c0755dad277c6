package programreplay

import (
	"errors"
	"iter"
)

// Asking asks a program for its propensities, round by round of the log.
type Asking struct {
	P    []float64 // of the last round
	Stop func()    // ends the process
	pull func() ([]float64, error, bool)
}

// Ask has a process of its own answer.
func (e *Experiment) Ask() *Asking {
	answers := func(yield func([]float64, error) bool) {
		err := e.Slice.Guard(func() error {
			return e.Answers(func(_, _ int, a Answer) error {
				if !yield(a.P, nil) {
					return ErrEnough
				}
				return nil
			})
		})
		if err != nil {
			yield(nil, err)
		}
	}
	out := &Asking{}
	out.pull, out.Stop = iter.Pull2(iter.Seq2[[]float64, error](answers))
	return out
}

// Next takes the answer for the next round.
func (a *Asking) Next() error {
	p, err, ok := a.pull()
	switch {
	case !ok:
		return errors.New("conformance: there is no such round")
	case err != nil:
		return err
	}
	a.P = p
	return nil
}
