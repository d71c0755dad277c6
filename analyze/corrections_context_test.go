package analyze

import (
	"context"
	"errors"
	"testing"

	"banditaudit/analyze/log/accounts"
)

// TestCorrectionsEnd: corrections are made under the context of their own call:
// a cancelled one ends before a search that takes seconds.
func TestCorrectionsEnd(t *testing.T) {
	a := accountsOf(t, fourRounds(t), blockProtocol(true))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, kind := range []accounts.Kind{accounts.RowBlocks, accounts.UnitBlocks, accounts.BatchBlocks} {
		rows := accounts.Rows{Arms: []int{0}, Block: kind}
		if _, err := a.CorrectionsOf(ctx, rows); !errors.Is(err, context.Canceled) {
			t.Errorf("kind %d: %v", kind, err)
		}
		c, err := a.CorrectionsOf(t.Context(), rows)
		if err != nil || c.Blocks != map[accounts.Kind]int64{accounts.RowBlocks: 4, accounts.UnitBlocks: 2, accounts.BatchBlocks: 1}[kind] {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}
