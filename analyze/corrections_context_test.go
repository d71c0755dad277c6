package analyze

import (
	"context"
	"errors"
	"testing"

	"banditaudit/analyze/accounts"
)

// TestCorrectionsEnd: corrections are made under the context of their own call:
// a cancelled one ends before a search that takes seconds.
func TestCorrectionsEnd(t *testing.T) {
	l := &blockLog{}
	for i := range int64(4) {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, i+1), append(l.Arm, 0)
		l.Reward, l.Unit, l.Batch.Batch, l.RewardRound = append(l.Reward, 0), append(l.Unit, i/2), append(l.Batch.Batch, 0), append(l.RewardRound, i+1)
	}
	a := accountsOf(t, l.open(t), blockProtocol(true))
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
