package conformance

import (
	"context"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// Account is the privacy accounting of one experiment without a replay: it
// needs the protocol and the public columns of the log, and reads no reward.
// It equals the Privacy of what Run returns, and errors are those of Run.
//
// Special cases are:
//
//	no policy declared: the claim alone
func Account(ctx context.Context, p *schemas.Protocol, arms []string, s *tableau.Slice) (schemas.Accounting, error) {
	out := claimed(p.Privacy)
	if p.Policy == nil {
		return out, nil
	}
	err := s.Guard(func() error {
		m, err := replay.New(p, arms)
		if err != nil {
			return err
		}
		j := &job{ctx: ctx, p: p, arms: arms, s: s, m: m}
		if err := j.contradict(); err != nil {
			return err
		}
		return j.account(&out)
	})
	if err != nil {
		return schemas.Accounting{}, fmt.Errorf("conformance: experiment %q: %w", s.ID(), err)
	}
	return out, nil
}
