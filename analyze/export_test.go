package analyze

import (
	"context"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/rewards/rerandomize"
	"banditaudit/replay/ledger"
)

// RerunAsked is a question of tests of whole logs.
type RerunAsked = rerandomize.Question

// RerunFound is its answer, with what was booked.
type RerunFound struct {
	rerandomize.Answer

	Booked []ledger.Booking
}

// sampleOf is the stages of an analysis up to the tests.
func sampleOf(ctx context.Context, in *Input) (*sample, error) {
	in.Catalogue = Known()
	f, err := readQuestions(ctx, in)
	if err != nil {
		return nil, err
	}
	a, err := corrections.Open(ctx, f.facts, in.Catalogue.Corrections, f.rowsRead())
	if err != nil {
		return nil, err
	}
	s, err := readSample(ctx, f, validity.Weigh(a))
	if err != nil {
		return nil, err
	}
	played, err := allocation.Read(ctx, f.facts)
	if err != nil {
		return nil, err
	}
	if played.Splits, err = played.ReadSplits(ctx, s.facts, s.rewards.Book, s.conforms()); err != nil {
		return nil, err
	}
	s.evidence.Contradict(played)
	return s, nil
}

// Rerun runs the policy of a log again.
func Rerun(ctx context.Context, in *Input, q RerunAsked) (*RerunFound, error) {
	s, err := sampleOf(ctx, in)
	if err != nil {
		return nil, err
	}
	q.ID = "E"
	a, err := s.subject().Rerun(ctx, q)
	return &RerunFound{a, s.rewards.Book.List()}, err
}
