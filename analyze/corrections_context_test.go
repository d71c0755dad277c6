package analyze

import (
	"context"
	"errors"
	"testing"
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
	for _, kind := range []blockKind{rowBlocks, unitBlocks, batchBlocks} {
		rows := rowSet{[]int{0}, kind}
		if _, err := a.correctionsOf(ctx, rows); !errors.Is(err, context.Canceled) {
			t.Errorf("kind %d: %v", kind, err)
		}
		c, err := a.correctionsOf(t.Context(), rows)
		if err != nil || c.blocks != map[blockKind]int64{rowBlocks: 4, unitBlocks: 2, batchBlocks: 1}[kind] {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}
