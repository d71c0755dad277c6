package analyze

import (
	"context"
	"errors"
	"testing"

	"banditaudit/analyze/log/corrections"
)

// TestCorrectionsEnd: corrections are made under the context of their own call:
// a cancelled one ends before a search that takes seconds.
func TestCorrectionsEnd(t *testing.T) {
	a := accountsOf(t, fourRounds(t), blockProtocol(true))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, kind := range []corrections.Kind{corrections.RowBlocks, corrections.UnitBlocks, corrections.BatchBlocks} {
		rows := corrections.Rows{Arms: []int{0}, Block: kind}
		if _, err := a.CorrectionsOf(ctx, rows); !errors.Is(err, context.Canceled) {
			t.Errorf("kind %d: %v", kind, err)
		}
		c, err := a.CorrectionsOf(t.Context(), rows)
		if err != nil || c.Blocks != map[corrections.Kind]int64{corrections.RowBlocks: 4, corrections.UnitBlocks: 2, corrections.BatchBlocks: 1}[kind] {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}
