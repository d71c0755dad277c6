package eprocess

import (
	"math"
	"testing"
)

// near fails where got is farther from want than the digits that are given.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.13g, want %.13g", what, got, want)
	}
}

// smallLog is the log of twelve rounds and three arms of testdata/reference/anytime.py.
type smallRound struct {
	arm    int
	reward float64
	p      [3]float64
}

func smallLog() []smallRound {
	p := [4][3]float64{{1. / 3, 1. / 3, 1. / 3}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	rewards := []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	out := make([]smallRound, len(rewards))
	for i, arm := range []int{1, 2, 3, 1, 1, 3, 2, 3, 3, 2, 3, 1} {
		out[i] = smallRound{arm: arm - 1, reward: rewards[i], p: p[i/3]}
	}
	return out
}

func TestAssignmentReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                 string
		a, b                 int
		rounds               int64
		both, most, up, down float64
	}{
		{"3 against 1", 2, 0, 9, .949080000325, 1.004088183881, 1.268987404295, .629172596355},
		{"3 against 2", 2, 1, 8, 3.197555743378, 3.197555743378, 6.138399436769, .256712049988},
	} {
		bets := NewAssignment()
		for _, r := range smallLog() {
			if r.arm == c.a || r.arm == c.b {
				bets.Add(r.arm == c.a, Exactly(r.p[c.a]/(r.p[c.a]+r.p[c.b])), r.reward)
			}
		}
		e := bets.Evidence()
		if bets.Rounds() != c.rounds {
			t.Errorf("%s: %d rounds, want %d", c.name, bets.Rounds(), c.rounds)
		}
		near(t, c.name, math.Exp(e.Both), c.both, 1e-11)
		near(t, c.name+", up", math.Exp(e.Up), c.up, 1e-11)
		near(t, c.name+", down", math.Exp(e.Down), c.down, 1e-11)
		near(t, c.name+", largest", math.Exp(e.Largest.Both), c.most, 1e-11)
	}
}

func TestAssignmentAlternating(t *testing.T) {
	t.Parallel()
	bets := NewAssignment()
	for i := range 60 {
		y := 0.0
		if (i/2%4 != 0) == (i%2 == 0) {
			y = 1
		}
		bets.Add(i%2 == 0, Exactly(0.5), y)
	}
	e := bets.Evidence()
	near(t, "both", math.Exp(e.Both), 88.8706491521, 1e-9)
	near(t, "largest", math.Exp(e.Largest.Both), 112.6207424318, 1e-9)
	near(t, "up", math.Exp(e.Up), 177.6996330756, 1e-9)
	near(t, "down", math.Exp(e.Down), .0416652286, 1e-10)
}
