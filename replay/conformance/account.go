package conformance

import (
	"context"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Account is the privacy accounting of one experiment without a replay: it
// needs the protocol and the public columns of the log, and reads no reward.
// It equals the Privacy of what Run returns, and errors are those of Run.
//
// Special cases are:
//
//	no policy declared: the claim alone
func (d *Declared) Account(ctx context.Context, s *tableau.Slice) (schemas.Accounting, error) {
	out := claimed(d.Protocol.Privacy)
	if d.Protocol.Policy == nil {
		return out, nil
	}
	err := s.Guard(func() error {
		j := &job{Declared: d, ctx: ctx, s: s}
		if err := j.contradict(); err != nil {
			return err
		}
		return j.account(&out)
	})
	if err != nil {
		return schemas.Accounting{}, fmt.Errorf("conformance: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, nil
}
