package ledger

import (
	"math"
	"math/big"
	"testing"
)

// What decisions by exact sums lose of somebody's rounds, T = 6 and K = 2: epsilon-greedy
// of ε = 0.2, ln 9 = 2.19722 for each decision after her first round, where m·ε says 21.97;
// and softmax of η = 0.5 over a floor of 0.1, where m·ε says 15 (a second program, Python).
func TestSeveral(t *testing.T) {
	nine := NewLoss(new(big.Rat).SetFloat64(math.Log(9)))
	greedy := PathLaw{Decisions: NewEven(nine), Whole: NewEven(nine), Rounds: 6, First: 2}
	floor := PathLaw{Decisions: NewEven(NewLoss(big.NewRat(1, 2))), Whole: NewEven(nine), Rounds: 6, First: 2}
	bare := PathLaw{Decisions: NewEven(NewLoss(big.NewRat(1, 2))), Rounds: 6, First: 2}
	late := PathLaw{Decisions: NewEven(nine), Whole: NewEven(nine), Rounds: 6, First: 5}
	for _, c := range []struct {
		name   string
		law    *PathLaw
		rounds []int64
		want   float64
	}{
		{"epsilon-greedy, round 1", &greedy, []int64{1}, 10.9861},
		{"epsilon-greedy, rounds 3 and 4", &greedy, []int64{3, 4}, 6.5917},
		{"epsilon-greedy, all", &greedy, []int64{1, 2, 3, 4, 5, 6}, 10.9861},
		{"softmax, all", &floor, []int64{1, 2, 3, 4, 5, 6}, 7.1972},
		{"softmax without a floor, rounds 1 and 3", &bare, []int64{1, 3}, 4},
		{"the last round", &greedy, []int64{6}, 0},
		{"no round", &greedy, nil, 0},
		{"learned once, before round 5", &late, []int64{1, 2}, 4.3944},
	} {
		if got := c.law.Several(c.rounds).Float(); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if a, b := greedy.SeveralOf(3), greedy.Several([]int64{1, 2, 3}); !a.Equal(b) {
		t.Errorf("three rounds lose %v, the first three %v", a, b)
	}
	if many := greedy.SeveralOf(manyRounds + 1); many.Cmp(greedy.Epsilon()) > 0 {
		t.Errorf("very many rounds lose %v, one %v", many, greedy.Epsilon())
	}
	open := PathLaw{Decisions: NewEven(nine)}
	if !open.Several([]int64{1}).IsInf() {
		t.Error("a run of any length loses a finite ε")
	}
}

// A decimal from below is never above the loss, and within one of its last digit.
func TestBelow(t *testing.T) {
	for _, c := range []struct {
		num, den int64
		digits   int
		want     string
	}{{2, 3, 4, "0.6666"}, {1, 3, 4, "0.3333"}, {4, 1, 4, "4"}, {768, 10, 4, "76.8"}, {99999, 1000, 3, "99.9"}, {0, 1, 4, "0"}} {
		if got := NewLoss(big.NewRat(c.num, c.den)).Below(c.digits); got != c.want {
			t.Errorf("%d/%d to %d digits: %s, want %s", c.num, c.den, c.digits, got, c.want)
		}
	}
	if got := Infinite().Below(3); got != "inf" {
		t.Error(got)
	}
}
