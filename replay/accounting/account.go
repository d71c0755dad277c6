package accounting

import (
	"context"
	"errors"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Declared is what is accounted for. It is immutable and safe for concurrent use.
type Declared struct {
	Protocol  *schemas.Protocol // Required.
	Arms      []string          // labels in index order
	Mechanism *replay.Mechanism // what Protocol declares over Arms; nil where it has no policy
}

// Experiment is an experiment under way. Its mechanism must be declared.
type Experiment struct {
	*Declared
	Context context.Context //nolint:containedctx // an Experiment is one call
	Slice   *tableau.Slice

	Against  *Contradiction     // set by Contradict; nil: the public columns do not contradict the mechanism
	Ledgers  []ledger.ArmLedger // of each arm, set by Account; nil: none was made
	Realized float64            // the largest cost of a row of this log, set by Account; 0: no ledger was made
}

// ErrArm is returned for a tableau whose arms are not the arms of the protocol.
var ErrArm = errors.New("the tableau has an arm that is not declared; ingest the log again with this protocol")

// Account is the privacy accounting of one experiment without a replay, and the
// ledger of each arm that it is made of: it needs the protocol and the public
// columns of the log, and reads no reward. It equals the Privacy of what
// a replay returns. Account returns errors of the tableau and of ctx, which is looked at
// every few thousand rounds, and ErrArm.
//
// Special cases are:
//
//	no policy declared: the claim alone
//	nothing accounted for: no ledgers
func (d *Declared) Account(ctx context.Context, s *tableau.Slice) (schemas.Accounting, []ledger.ArmLedger, error) {
	out := Claimed(d.Protocol.Privacy)
	if d.Protocol.Policy == nil {
		return out, nil, nil
	}
	e := &Experiment{Declared: d, Context: ctx, Slice: s}
	err := s.Guard(func() error {
		if err := e.Contradict(); err != nil {
			return err
		}
		return e.Account(&out)
	})
	if err != nil {
		return schemas.Accounting{}, nil, fmt.Errorf("accounting: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, e.Ledgers, nil
}
