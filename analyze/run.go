package analyze

import (
	"context"
	"fmt"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/schemas"
)

// Run analyses one experiment. It reads the public columns, then the rewards
// through the gate: once for the moments of all arms, once more in the order of
// units where a unit owns several rows, twice where propensities are known (what
// comes before each chunk, then scores, beside a replay where they are
// recomputed), and once or more for each regression (its errors, bounds on its
// biases, a fit made anew where the first loses digits). What a declared correction asks
// for is computed from the costs of rows, without rewards. Run returns errors of the
// tableau (a damaged file), of the protocol (an arm, a column or a coefficient that the log
// does not have), of a replay that is not of this log, ErrMemory and the error of ctx.
func Run(ctx context.Context, in *Input) (*aggregate.Outcome, error) {
	if in.Catalogue == nil {
		own := *in
		own.Catalogue, in = Known(), &own
	}
	if in.Rerunning != nil {
		ctx = randomization.WithProgress(ctx, in.Rerunning)
	}
	out, err := run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("analyze: experiment %s: %w", schemas.Printable(in.Experiment().ID), err)
	}
	return out, nil
}

// run is the stages of an analysis. Each gets what those before it found, and
// none reaches into a later one.
func run(ctx context.Context, in *Input) (*aggregate.Outcome, error) {
	kinds := in.Catalogue
	asked, err := readQuestions(ctx, in)
	if err != nil {
		return nil, err
	}
	accounts, err := corrections.Open(ctx, asked.facts, kinds.Corrections, asked.rowsRead())
	if err != nil {
		return nil, err
	}
	sample, err := readSample(ctx, asked, validity.Weigh(accounts))
	if err != nil {
		return nil, err
	}
	played, err := allocation.Read(ctx, asked.facts)
	if err != nil {
		return nil, err
	}
	err = in.Slice.Together(in.Jobs, func() error { return played.ReadCadence(ctx, &in.Log) }, func() error {
		return weighRewards(ctx, sample, played)
	})
	if err != nil {
		return nil, err
	}
	arms, err := describeArms(ctx, sample)
	if err != nil {
		return nil, err
	}
	fits, err := fitRegressions(ctx, sample)
	if err != nil {
		return nil, err
	}
	checks, err := runChecks(ctx, kinds.Checks, fits, played)
	if err != nil {
		return nil, err
	}
	answers, err := answerTests(ctx, kinds, fits, checks)
	if err != nil {
		return nil, err
	}
	return (&experimentResult{sample: sample, facts: asked.facts, protocol: in.Protocol, allocation: played, arms: arms, checked: checks, answers: answers}).outcome(kinds), nil
}

// weighRewards holds the allocation against splits of the rounds, and then reads rewards
// by propensities, as far as these stand.
func weighRewards(ctx context.Context, s *sample, played *allocation.Allocation) error {
	err := s.rewards.CheckCounts()
	if err != nil {
		return err
	}
	if played.Splits, err = played.ReadSplits(ctx, s.facts, s.rewards.Book, s.conforms()); err != nil {
		return err
	}
	s.evidence.Contradict(played)
	s.validity = played.Footing(s.facts.Names())
	s.weighed, err = s.toWeigh(played).Read(ctx)
	return err
}
