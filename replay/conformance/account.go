package conformance

import (
	"context"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Account is the privacy accounting of one experiment without a replay, and the
// ledger of each arm that it is made of: it needs the protocol and the public
// columns of the log, and reads no reward. It equals the Privacy of what Run
// returns, and errors are those of Run.
//
// Special cases are:
//
//	no policy declared: the claim alone
//	nothing accounted for: no ledgers
func (d *Declared) Account(ctx context.Context, s *tableau.Slice) (schemas.Accounting, []ledger.ArmLedger, error) {
	out := claimed(d.Protocol.Privacy)
	if d.Protocol.Policy == nil {
		return out, nil, nil
	}
	j := &job{Declared: d, ctx: ctx, s: s}
	err := s.Guard(func() error {
		if err := j.contradict(); err != nil {
			return err
		}
		return j.account(&out)
	})
	if err != nil {
		return schemas.Accounting{}, nil, fmt.Errorf("conformance: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, j.arms, nil
}
