package eprocess

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/tail"
	"banditaudit/testdata/reference"
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
	near(t, "both", math.Exp(e.Both), 2.301128933502, 1e-11)
	near(t, "largest", math.Exp(e.Largest.Both), 2.301128933502, 1e-11)
	near(t, "up", math.Exp(e.Up), 4.477384947945, 1e-11)
	near(t, "down", math.Exp(e.Down), .124872919060, 1e-11)
}

// Over all ways in which labels fall on a batch, the mean of e, of each side and of each
// bet is 1.
func TestBatchIsFair(t *testing.T) {
	t.Parallel()
	for _, table := range [][3]int64{{7, 4, 5}, {1, 1, 1}, {3, 9, 12}, {2, 9, 3}, {30, 25, 54}} {
		a, b, ones := table[0], table[1], table[2]
		d := tail.Draw{White: ones, Black: a + b - ones, Size: a}
		var both, up, down float64
		for s := d.Least(); s <= d.Most(); s++ {
			bets := NewBatches()
			bets.Add(Table{Plays: [2]int64{a, b}, Ones: [2]int64{s, ones - s}})
			p, e := tail.LogHypergeometricAt(s, d), bets.Evidence()
			both += math.Exp(p + e.Both)
			up += math.Exp(p + e.Up)
			down += math.Exp(p + e.Down)
		}
		near(t, "mean of e", both, 1, 1e-12)
		near(t, "mean of one side", up, 1, 1e-12)
		near(t, "mean of the other", down, 1, 1e-12)
	}
}

// One side holds where the first arm pays no more: a one that moves from not to of the
// second arm lowers e for the first.
func TestBatchOneSided(t *testing.T) {
	t.Parallel()
	for a := range int64(6) {
		for b := range int64(6) {
			for s := range a + 1 {
				before := math.Inf(1)
				for other := range b + 1 {
					bets := NewBatches()
					bets.Add(Table{Plays: [2]int64{a, b}, Ones: [2]int64{s, other}})
					up := bets.Evidence().Up
					if up > before+1e-14 {
						t.Errorf("%d of %d against %d of %d: ln e %g, and %g with one fewer", s, a, other, b, up, before)
					}
					before = up
				}
			}
		}
	}
}

// TestBatchesSecondProgram holds single factors and products against scipy and mpmath
// (testdata/reference/batches.py, python3 batches.py > batches.csv), up to batches of a
// million rows.
func TestBatchesSecondProgram(t *testing.T) {
	t.Parallel()
	for _, row := range reference.Rows(t, "batches.csv", "tables") {
		tables, answers := int(row[0]), row[len(row)-6:]
		bets := NewBatches()
		for i := range tables {
			n := row[1+4*i : 5+4*i]
			bets.Add(Table{Plays: [2]int64{int64(n[0]), int64(n[2])}, Ones: [2]int64{int64(n[1]), int64(n[3])}})
		}
		e := bets.Evidence()
		for i, got := range []float64{e.Both, e.Up, e.Down, e.Largest.Both, e.Largest.Up, e.Largest.Down} {
			if want := answers[i]; !(math.Abs(got-want) <= 1e-10*max(1, math.Abs(want))) {
				t.Errorf("%v, number %d: %.15g, want %.15g", row, i, got, want)
			}
		}
	}
}
