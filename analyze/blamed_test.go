package analyze

import (
	"context"
	"errors"
	"testing"

	"banditaudit/analyze/log/allocation"
	"banditaudit/ingest/precision"
)

// TestExplanationsEnd: explanations end with their context, before a round is visited: the
// log has no propensities, which a visit would read.
func TestExplanationsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := allocation.Explain(ctx, accountsOf(t, fourRounds(t), blockProtocol(true)).Facts.Log, precision.Ends{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
