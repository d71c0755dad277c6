package conformance

import (
	"errors"
	"iter"

	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/program"
)

// asking asks a program for its propensities, round by round of the log.
type asking struct {
	pull func() ([]float64, error, bool)
	stop func()
	p    []float64 // of the last round
}

// newAsking has a process of its own answer; rewards that it is handed are booked for purpose.
func newAsking(j *job, purpose string) *asking {
	e := &programreplay.Experiment{Context: j.ctx, Slice: j.s, Book: j.book, Protocol: j.protocol, Arms: j.arms, Programs: j.declared.Programs, Purpose: purpose}
	answers := func(yield func([]float64, error) bool) {
		err := j.s.Guard(func() error {
			return e.Answers(func(_, _ int, a programreplay.Answer) error {
				if !yield(a.P, nil) {
					return programreplay.ErrEnough
				}
				return nil
			})
		})
		if err != nil {
			yield(nil, err)
		}
	}
	out := &asking{}
	out.pull, out.stop = iter.Pull2(iter.Seq2[[]float64, error](answers))
	return out
}

// next takes the answer for the next round.
func (a *asking) next() error {
	p, err, ok := a.pull()
	switch {
	case !ok:
		return errors.New("conformance: there is no such round")
	case err != nil:
		return err
	}
	a.p = p
	return nil
}

// ProgramFailed words the failure of a program in err; "" where err has none.
func ProgramFailed(err error) string {
	if failure, ok := errors.AsType[*program.Failure](err); ok {
		words, _ := failure.Lasting()
		return "the program " + words
	}
	return ""
}
