package corrections

import (
	"bytes"
	"context"
	"errors"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/replay/accounting"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Accounts is what the declared mechanism loses by the logged actions, and what
// corrections are made from.
type Accounts struct {
	Facts      *publiclog.Facts
	Protocol   *schemas.Protocol
	Kinds      []Correction              // those that there are
	asked      map[string]bool           // keys of the rows that declared tests read
	Ledger     ledger.Law                // nil: no mechanism is declared
	Against    *accounting.Contradiction // nil: the public columns do not contradict it
	Accounting schemas.Accounting
	Levels     [][]maxinfo.Level    // by arm, the levels of its rows, their costs rounded up
	Replayed   *schemas.Conformance // what the replay found, at the levels that the experiments of the log share; nil where none was run
	blocks     blockLevels
	corrected  map[string]*Made // by the key of the rows that they are made for
}

// Open makes the ledger from the protocol and the actions, and counts the
// costs of batches. Kinds are the corrections that there are, and asked the rows that
// declared tests read.
func Open(ctx context.Context, f *publiclog.Facts, kinds []Correction, asked []Rows) (*Accounts, error) {
	a := &Accounts{Facts: f, Protocol: f.Protocol, Kinds: kinds, asked: map[string]bool{}, Levels: make([][]maxinfo.Level, f.K()), corrected: map[string]*Made{}}
	for _, rows := range asked {
		a.asked[rows.Key()] = true
	}
	if f.Protocol.Policy != nil {
		var err error
		if a.Ledger, err = f.Declared.Law(f.Slice); err != nil {
			return nil, err
		}
		if a.Against, err = f.Declared.Contradicts(ctx, f.Slice); err != nil {
			return nil, err
		}
	}
	var err error
	var arms []ledger.ArmLedger
	if a.Accounting, arms, err = f.Declared.Account(ctx, f.Slice); err != nil {
		return nil, err
	}
	if err = a.countRows(ctx, arms); err != nil {
		return nil, err
	}
	if err = a.checkReplay(); err != nil {
		return nil, err
	}
	a.Replayed = publiclog.ShareLevels(f.Log)
	if err = a.readBlocks(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// countRows counts the costs of the rows of every arm. It takes the costs from the ledger.
// Where costs are by each row's own context it counts them in a walk over the log, and
// rounds them up where the different costs would not fit, see maxLevels.
func (a *Accounts) countRows(ctx context.Context, arms []ledger.ArmLedger) error {
	if a.Accounting.InferenceCosts == schemas.CostsOwnContext {
		return a.countOwnCosts(ctx)
	}
	for arm := range arms {
		for _, l := range arms[arm].Levels {
			a.Levels[arm] = append(a.Levels[arm], maxinfo.Level{Cost: l.Cost.Up(), Rows: l.Rows})
		}
	}
	return nil
}

// countOwnCosts counts the costs of rows by their own contexts.
func (a *Accounts) countOwnCosts(ctx context.Context) error {
	counts := roundedSets(a.Facts.K())
	err := a.Facts.Declared.Costs(ctx, a.Facts.Slice, func(chunk int, costs []float64) error {
		for row, arm := range a.Facts.Slice.Chunk(chunk).Arm {
			counts[arm].add(costs[row])
		}
		return nil
	})
	for arm := range counts {
		a.Levels[arm] = sortedLevels(counts[arm].counts)
	}
	return err
}

// checkReplay takes nothing on trust that a replay says of the accounting: it must
// be the same.
func (a *Accounts) checkReplay() error {
	if a.Facts.Replay == nil {
		return nil
	}
	ours, err := schemas.Encode(a.Accounting)
	if err != nil {
		return err
	}
	theirs, err := schemas.Encode(a.Facts.Replay.Privacy)
	if err == nil && !bytes.Equal(ours, theirs) {
		err = errors.New("the accounting of the replay is not what protocol and actions give; run banditaudit replay again")
	}
	return err
}

// ByDraws reports whether the policy reads exact sums, and nothing but its own
// draws hides a reward.
func (a *Accounts) ByDraws() bool {
	_, ok := a.Ledger.(*ledger.PathLaw)
	return ok
}

// NotApplicable is an assumption that stands against a number, by its id, and why.
// The zero objection stands against nothing.
type NotApplicable struct{ Assumption, Why string }

// Stands reports whether there is one.
func (o NotApplicable) Stands() bool { return o.Assumption != "" }

func (o NotApplicable) String() string {
	if !o.Stands() {
		return ""
	}
	return o.Assumption + ": " + o.Why
}

// Against is the objection by an assumption, and why.
func Against(assumption, why string) NotApplicable { return NotApplicable{assumption, why} }

// Dependent stands where errors take rows, or batches, as independent and a
// declared unit owns several rows.
func Dependent(more string) NotApplicable {
	return NotApplicable{"A4", "a unit (log.unit) owns several rows, which are not independent" + more}
}
