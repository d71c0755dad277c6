package analyze

import (
	"context"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/rerun"
	"banditaudit/analyze/runs"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// RerunAsked is a rerunQuestion for tests of whole logs.
type RerunAsked struct {
	Arms       []int
	Difference bool
	Value      float64
	Alt        hypothesis.Alternative
	Tests      int
}

// RerunFound is a rerunAnswer, with what was booked.
type RerunFound struct {
	Result   schemas.TestResult
	LogP     float64
	Final    bool
	Permuted string
	Draws    int
	Runs     rerun.Result
	Booked   []ledger.Booking
}

// sampleOf is the stages of an analysis up to the tests.
func sampleOf(ctx context.Context, in *Input) (*sample, error) {
	in.Catalogue = Known()
	f, err := readQuestions(ctx, in)
	if err != nil {
		return nil, err
	}
	a, err := openAccounts(ctx, f)
	if err != nil {
		return nil, err
	}
	s, err := readSample(ctx, weigh(a))
	if err != nil {
		return nil, err
	}
	played, err := allocation.Read(ctx, f.Facts)
	if err != nil {
		return nil, err
	}
	if played.Splits, err = played.ReadSplits(ctx, s.Facts, s.book); err != nil {
		return nil, err
	}
	s.contradict(played)
	return s, nil
}

// Rerun runs the policy of a log again.
func Rerun(ctx context.Context, in *Input, q RerunAsked) (*RerunFound, error) {
	s, err := sampleOf(ctx, in)
	if err != nil {
		return nil, err
	}
	a, err := s.subject().Rerun(ctx, runs.Question{ID: "E", Arms: q.Arms, Difference: q.Difference, Value: q.Value, Alt: q.Alt, Tests: q.Tests})
	if err != nil {
		return nil, err
	}
	return &RerunFound{a.Result, a.LogP, a.Final, a.Permuted, a.Draws, a.Runs, s.book.List()}, nil
}

// RerunAsLogged plays the policy with a seed on the records in the order of the log, as
// runs are played, and returns the number of rounds and of those with another arm.
func RerunAsLogged(ctx context.Context, in *Input, master [32]byte) (rounds, other int, err error) {
	s, err := sampleOf(ctx, in)
	if err != nil {
		return 0, 0, err
	}
	return s.subject().AsLogged(ctx, master)
}
