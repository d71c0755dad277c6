package adaptive

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A side rests on rewards known before the round, the last of them being the one
// that became known last, and of these the later row.
func TestArrivalSplitBySearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rounds")
		after, y := make([]int64, n), make([]float64, n)
		var a ArrivalSplit
		for i := range n {
			round := int64(i + 1)
			if got, want := a.Side(round), sideBySearch(after[:i], y[:i], round); got != want {
				t.Fatalf("round %d: side %d, want %d (after %v, rewards %v)", round, got, want, after[:i], y[:i])
			}
			after[i] = round + rapid.Int64Range(0, 4).Draw(t, "later")
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				after[i] = math.MaxInt64
			}
			y[i] = float64(rapid.IntRange(0, 3).Draw(t, "reward"))
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				y[i] = math.NaN()
			}
			a.Add(round, after[i], y[i])
		}
	})
}

func sideBySearch(after []int64, y []float64, round int64) Side {
	last, sum, known := -1, 0.0, 0
	for i := range y {
		if after[i] < round && !math.IsNaN(y[i]) {
			sum += y[i]
			known++
			if last < 0 || after[i] >= after[last] {
				last = i
			}
		}
	}
	switch {
	case known < 2:
		return SideUnknown
	case y[last] > (sum-y[last])/float64(known-1):
		return SideYes
	}
	return SideNo
}

// While as many rewards are waited for as there is room for, others are passed
// over.
func TestArrivalSplitIsBounded(t *testing.T) {
	var a ArrivalSplit
	for i := range int64(waitingMost + 10) {
		a.Add(i+1, waitingMost+100, 1)
	}
	if n := len(a.waiting); n != waitingMost {
		t.Errorf("%d are waited for", n)
	}
	if a.Side(waitingMost+100) != SideUnknown || a.Side(waitingMost+101) != SideNo || len(a.waiting) != 0 {
		t.Errorf("%d are waited for at the end", len(a.waiting))
	}
}

// The band is that of the last reward that became known, among those known before it.
func TestArrivalSplitBand(t *testing.T) {
	var a ArrivalSplit
	var got []uint8
	for i, y := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 4.5, 9, 0, math.NaN()} {
		a.Side(int64(i + 1))
		got = append(got, a.Band())
		a.Add(int64(i+1), int64(i+1), y)
	}
	a.Side(13)
	got = append(got, a.Band())
	// before rounds 10, 11, 12 and 13 the last known are 4.5, 9, 0 and 0, among 1 … 8
	if want := []uint8{1, 2, 0, 0}; got[0] != NoCell || got[1] != NoCell || !slices.Equal(got[9:], want) {
		t.Errorf("%v, want %v at the end", got, want)
	}
}
