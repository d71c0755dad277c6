package analyze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"banditaudit/analyze/check"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Run analyses one experiment. It reads the public columns, then the rewards
// through the gate: once for the moments of all arms, once more in the order of
// units where a unit owns several rows, and once or more for each regression
// (its errors, bounds on its biases, a fit made anew where the first loses
// digits). What a declared correction asks for is computed from the costs of
// rows, without rewards. Errors are those of the tableau (a damaged file), of
// the protocol (an arm, a column or a coefficient that the log does not have), of
// a replay that is not of this log, ErrMemory and that of ctx.
func Run(ctx context.Context, in *Input) (*Outcome, error) {
	a := &analysis{Input: in, book: &ledger.Disclosures{}}
	out, err := a.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("analyze: experiment %s: %w", schemas.Printable(in.experiment().ID), err)
	}
	return out, nil
}

func (a *analysis) run(ctx context.Context) (*Outcome, error) {
	if err := a.gather(ctx); err != nil {
		return nil, err
	}
	var err error
	if a.arms, err = a.armRecords(ctx); err != nil {
		return nil, err
	}
	if err = a.readRegressions(ctx); err != nil {
		return nil, err
	}
	if a.fits, err = a.regressionRecords(ctx); err != nil {
		return nil, err
	}
	a.checks = check.All(a.facts())
	if a.explained, err = a.explainAllocation(ctx); err != nil {
		return nil, err
	}
	a.warnChecks()
	members, err := a.testRecords(ctx)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Claims: a.claims(), Status: a.status(), Experiment: a.record(), Family: members}
	_, out.Drawn = a.law.(*ledger.PathLaw)
	if a.Replay != nil {
		out.Evidence = a.Replay.Conformance.Mode
	}
	return out, nil
}

// gather makes the passes over the tableau and the accounting.
func (a *analysis) gather(ctx context.Context) error {
	if err := a.checkLabels(); err != nil {
		return err
	}
	if err := a.checkRegressions(); err != nil {
		return err
	}
	a.fitColumns = a.columnsOfFits()
	if err := a.readPublic(ctx); err != nil {
		return err
	}
	if err := a.accounting(ctx); err != nil {
		return err
	}
	var err error
	a.units = a.countUnits()
	if err = a.readBlocks(ctx); err != nil {
		return err
	}
	if err = a.readRewards(ctx); err != nil {
		return err
	}
	if a.weights = a.propensities(); a.weights != nil {
		if a.weights.Cadence, err = a.readCadence(ctx); err != nil {
			return err
		}
	}
	if a.unplayed, err = a.readUnplayed(ctx); err != nil {
		return err
	}
	a.warnCarried()
	return a.checkCounts()
}

// checkCounts holds the manifest's counts of missing rewards against the
// tableau: what the checks print must be what was left out.
func (a *analysis) checkCounts() error {
	counted := make([]int64, a.k())
	for _, c := range a.experiment().Counts {
		if c.Arm < 0 || c.Arm >= a.k() {
			return fmt.Errorf("manifest.json counts rows of arm %d, and there are %d arms; ingest the log again", c.Arm, a.k())
		}
		if c.Reason == schemas.ReasonMissing {
			counted[c.Arm] += c.Rows
		}
	}
	if a.Slice.Schema().RewardByArm || slices.Equal(counted, a.sums.missing) {
		return nil // with the rewards of all arms the manifest counts those too
	}
	return errors.New("manifest.json does not count the missing rewards that the tableau has; ingest the log again")
}

// accounting makes the ledger from the protocol and the actions. What a replay
// says about it is not taken on trust: it must be the same.
func (a *analysis) accounting(ctx context.Context) error {
	if a.Protocol.Policy != nil {
		var err error
		if a.law, err = a.Law(a.Slice); err != nil {
			return err
		}
		if a.against, err = a.Contradicts(ctx, a.Slice); err != nil {
			return err
		}
	}
	var err error
	a.account, err = a.Account(ctx, a.Slice)
	if err != nil || a.Replay == nil {
		return err
	}
	ours, err := schemas.Encode(a.account)
	if err != nil {
		return err
	}
	theirs, err := schemas.Encode(a.Replay.Privacy)
	a.shareLevels()
	if err == nil && !bytes.Equal(ours, theirs) {
		err = errors.New("the accounting of the replay is not what protocol and actions give; run banditaudit replay again")
	}
	return err
}

func (a *analysis) facts() *check.Facts {
	f := &check.Facts{
		Rounds: a.pub.rounds, Labels: a.names(), Declared: a.Manifest.Declared, Pulls: a.pub.pulls,
		Order: a.Protocol.Log.Order, TiesByFile: a.Protocol.Log.Ties == schemas.TiesFileOrder, Gaps: a.experiment().Gaps, Horizon: a.horizon(),
		Files: len(a.Manifest.Inputs), Columns: len(a.Manifest.Columns), Propensities: a.weights, Regressions: a.fits,
		Experiments: len(a.Manifest.Experiments), Counts: a.experiment().Counts, AllRewards: a.Slice.Schema().RewardByArm,
		Rule: a.Protocol.Log.MissingReward, Units: a.units, Batches: a.Slice.Schema().Batch, Varying: a.varying(), Unplayed: a.unplayed,
	}
	if a.Slice.Schema().MissingReward {
		f.Missing = a.sums.missing
	}
	return f
}

// horizon is the declared number of rounds, 0 where none is declared.
func (a *analysis) horizon() int64 {
	if a.Protocol.Counter == nil {
		return 0
	}
	return a.Protocol.Counter.Horizon
}

// record puts the experiment together.
func (a *analysis) record() schemas.Experiment {
	e := schemas.Experiment{
		ID: a.experiment().ID, Rounds: a.pub.rounds, ContextDim: a.contextDim(),
		Data: schemas.Data{
			RowsRead: a.pub.rounds, RowsAnalysed: a.pub.rounds - a.missing(), Excluded: a.excluded(), Checks: a.checks,
		},
		Replay:     schemas.Conformance{Mode: schemas.ModeNone, Rounds: a.pub.rounds},
		Allocation: a.explained, Privacy: a.account, Arms: a.arms, Regressions: a.fits, Tests: a.tests, Estimates: a.estimates(),
		Disclosures: a.disclosures(), Series: append(a.allocation(), a.cadenceSeries()...), Warnings: a.warnings,
	}
	if a.Replay != nil {
		e.Replay = a.Replay.Conformance
	}
	if e.Warnings == nil {
		e.Warnings = []string{}
	}
	return e
}

// excluded are the rows of this experiment that were left out or changed, by
// reason.
func (a *analysis) excluded() []schemas.Exclusion {
	out := []schemas.Exclusion{}
	if n := a.missing(); n > 0 {
		out = append(out, schemas.Exclusion{Reason: schemas.ReasonMissing, Rows: n})
	}
	if clipped := a.clipped(); clipped > 0 {
		reason := schemas.ReasonClipped
		if a.Slice.Schema().RewardByArm {
			reason += ", rewards of all arms"
		}
		out = append(out, schemas.Exclusion{Reason: reason, Rows: clipped})
	}
	return out
}

// clipped is the number of rewards that were clipped to the range.
func (a *analysis) clipped() int64 {
	total := int64(0)
	for _, c := range a.experiment().Counts {
		if c.Reason == schemas.ReasonClipped {
			total += c.Rows
		}
	}
	return total
}

func (a *analysis) disclosures() []schemas.Disclosure {
	out := []schemas.Disclosure{}
	for _, b := range a.book.List() {
		out = append(out, schemas.Disclosure{Purpose: b.Purpose, Rows: b.Rows, Columns: b.Columns})
	}
	return out
}
