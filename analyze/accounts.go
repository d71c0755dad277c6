package analyze

import (
	"bytes"
	"context"
	"errors"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/maxinfo"
	"banditaudit/replay/accounting"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// accounts is what the declared mechanism loses by the logged actions, and what
// corrections are made from.
type accounts struct {
	*questions
	law       ledger.Law                // nil: no mechanism is declared
	against   *accounting.Contradiction // nil: the public columns do not contradict it
	unlike    string                    // how check H17 contradicts the declared probabilities; "" where it does not, or was not run yet
	account   schemas.Accounting
	levels    [][]maxinfo.Level         // by arm, those of its rows, their costs rounded up
	replay    *schemas.ReplayExperiment // Input.Replay at the levels that the experiments of the log share; nil where none was run
	blocks    blockLevels
	corrected map[string]*corrections // by the key of the rows that they are made for
}

// openAccounts makes the ledger from the protocol and the actions, and counts the
// costs of batches.
func openAccounts(ctx context.Context, q *questions) (*accounts, error) {
	a := &accounts{questions: q, levels: make([][]maxinfo.Level, q.K()), corrected: map[string]*corrections{}}
	if q.Protocol.Policy != nil {
		var err error
		if a.law, err = q.Law(q.Slice); err != nil {
			return nil, err
		}
		if a.against, err = q.Contradicts(ctx, q.Slice); err != nil {
			return nil, err
		}
	}
	var err error
	var arms []ledger.ArmLedger
	if a.account, arms, err = q.Account(ctx, q.Slice); err != nil {
		return nil, err
	}
	if err = a.countRows(ctx, arms); err != nil {
		return nil, err
	}
	if err = a.checkReplay(); err != nil {
		return nil, err
	}
	a.replay = facts.ShareLevels(q.Log)
	if err = a.readBlocks(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// countRows counts the costs of the rows of every arm: those of the ledger or, where
// costs are by each row's own context, in a walk over the log, rounded up where
// there are so many different ones that they would not fit, see maxLevels.
func (a *accounts) countRows(ctx context.Context, arms []ledger.ArmLedger) error {
	if a.account.InferenceCosts == schemas.CostsOwnContext {
		return a.countOwnCosts(ctx)
	}
	for arm := range arms {
		for _, l := range arms[arm].Levels {
			a.levels[arm] = append(a.levels[arm], maxinfo.Level{Cost: l.Cost.Up(), Rows: l.Rows})
		}
	}
	return nil
}

// countOwnCosts counts the costs of rows by their own contexts.
func (a *accounts) countOwnCosts(ctx context.Context) error {
	counts := roundedSets(a.K())
	err := a.Costs(ctx, a.Slice, func(chunk int, costs []float64) error {
		for row, arm := range a.Slice.Chunk(chunk).Arm {
			counts[arm].add(costs[row])
		}
		return nil
	})
	for arm := range counts {
		a.levels[arm] = sortedLevels(counts[arm].counts)
	}
	return err
}

// checkReplay takes nothing on trust that a replay says of the accounting: it must
// be the same.
func (a *accounts) checkReplay() error {
	if a.Replay == nil {
		return nil
	}
	ours, err := schemas.Encode(a.account)
	if err != nil {
		return err
	}
	theirs, err := schemas.Encode(a.Replay.Privacy)
	if err == nil && !bytes.Equal(ours, theirs) {
		err = errors.New("the accounting of the replay is not what protocol and actions give; run banditaudit replay again")
	}
	return err
}
