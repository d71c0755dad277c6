package anytime

import (
	"math"
	"testing"
)

func TestBatchesReference(t *testing.T) {
	t.Parallel()
	b := NewBatches()
	for _, table := range []Table{
		{Plays: [2]int64{10, 10}, Ones: [2]int64{6, 4}},
		{Plays: [2]int64{14, 6}, Ones: [2]int64{9, 2}},
		{Plays: [2]int64{5, 0}, Ones: [2]int64{3, 0}}, // one arm alone
		{Plays: [2]int64{16, 4}, Ones: [2]int64{10, 1}},
	} {
		b.Add(table)
	}
	e := b.Evidence()
	if b.Used() != 3 {
		t.Errorf("%d batches used, want 3", b.Used())
	}
	near(t, "both", math.Exp(e.Both), 2.301128933502, 1e-11)
	near(t, "largest", math.Exp(e.Largest.Both), 2.301128933502, 1e-11)
	near(t, "up", math.Exp(e.Up), 4.477384947945, 1e-11)
	near(t, "down", math.Exp(e.Down), .124872919060, 1e-11)
}

// Over all ways in which labels fall on a batch, the mean of e is 1.
func TestBatchIsFair(t *testing.T) {
	t.Parallel()
	const a, b, ones = 7, 4, 5
	law := newHypergeometric(a, b, ones)
	total, mean := 0.0, 0.0
	for i, l := range law.log {
		bets := NewBatches()
		s := law.from + int64(i)
		bets.Add(Table{Plays: [2]int64{a, b}, Ones: [2]int64{s, ones - s}})
		total += math.Exp(l)
		mean += math.Exp(l + bets.Evidence().Both)
	}
	near(t, "mean of e", mean/total, 1, 1e-12)
}
