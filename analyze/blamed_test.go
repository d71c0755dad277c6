package analyze

import (
	"context"
	"testing"

	"banditaudit/replay/blame"
)

// TestExplainable: rounds times arms are bounded over all experiments, but for
// what each may take.
func TestExplainable(t *testing.T) {
	for _, c := range []struct {
		rounds            int64
		arms, experiments int
		want              int64
	}{
		{100, 3, 1, 100},
		{1 << 20, 2, 1, explainRows},
		{1 << 17, 32, 1, 1 << 17},
		{1 << 17, 1000, 1, 4194},
		{1 << 17, 1000, 1000, 262},
		{1 << 17, 8, 1 << 20, 1 << 15},
		{1 << 17, 1 << 30, 1, 1},
		{5, 2, 0, 5},
	} {
		if got := explainable(c.rounds, c.arms, c.experiments); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestExplanationsEnd: a walk over the rounds ends with its context.
func TestExplanationsEnd(t *testing.T) {
	l := &blockLog{}
	for i := range int64(4) {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, i+1), append(l.Arm, 0)
		l.Reward, l.Unit, l.Batch.Batch, l.RewardRound = append(l.Reward, 0), append(l.Unit, i/2), append(l.Batch.Batch, 0), append(l.RewardRound, i+1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := &blamed{ctx: ctx, in: accountsOf(t, l.open(t), blockProtocol(true)).Log, arms: blockArms, total: 4}
	x.rounds(func(*blame.Row) { t.Error("a round is visited") })
}
