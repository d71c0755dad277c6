package allocationtest

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestUnplayed compares with exact fractions, of python:
//
//	from fractions import Fraction as F; float(F(2,3)**8 * F(9,10)**60)
func TestUnplayed(t *testing.T) {
	u := NewUnplayed(3)
	for range 8 {
		u.Add(1, 1.0/3)
	}
	for range 60 {
		u.Add(1, 0.1)
	}
	u.Add(2, 1)
	u.Add(2, 0.5)
	if got, want := math.Exp(u.LogP(1)), 7.011654271880725e-05; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("got %.17g, want %.17g", got, want)
	}
	if u.LogP(0) != 0 || !math.IsInf(u.LogP(2), -1) {
		t.Errorf("nothing gives %v, a certain arm %v", u.LogP(0), u.LogP(2))
	}
	u.Add(0, -1e-17)
	u.Add(0, 0)
	if u.LogP(0) != 0 {
		t.Errorf("an arm of probability 0 gives %v", u.LogP(0))
	}
}

// Rounds in any chunks give the sum of all, and a likelier arm is never less
// likely to be missed.
func TestUnplayedMerges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		cut := rapid.IntRange(0, len(ps)).Draw(t, "cut")
		all, head, rest, more := NewUnplayed(1), NewUnplayed(1), NewUnplayed(1), NewUnplayed(1)
		for i, p := range ps {
			all.Add(0, p)
			more.Add(0, (1+p)/2)
			if i < cut {
				head.Add(0, p)
			} else {
				rest.Add(0, p)
			}
		}
		head.Merge(rest)
		if got, want := head.LogP(0), all.LogP(0); got != want && math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("merged %v, at once %v", got, want)
		}
		if more.LogP(0) > all.LogP(0) {
			t.Errorf("a likelier arm: %v above %v", more.LogP(0), all.LogP(0))
		}
	})
}
