package owner_test

import (
	"math"
	"math/big"
	"testing"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/replay/ledger/owner"
)

// law is a counter of ε = 1.
func law(t *testing.T, s counter.Spec) ledger.Law {
	t.Helper()
	if s.Name == ternary.Name {
		return ternaryTree{}
	}
	if s.Epsilon == nil {
		s.Epsilon = big.NewRat(1, 1)
	}
	c, err := counter.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// every returns the rounds from first to last, each step-th.
func every(first, last, step int64) []int64 {
	var out []int64
	for t := first; t <= last; t += step {
		out = append(out, t)
	}
	return out
}

// run is one of rounds that go to the streams at once, over k arms, each of which is
// played once in order where forced.
func run(rounds int64, k int, forced bool) owner.Run {
	r := owner.Run{Rounds: rounds, Arms: k, Placed: true, Any: true}
	for i := range k {
		if forced {
			r.Order = append(r.Order, i)
		}
	}
	return r
}

// TestVectors has the numbers of a second program (Python, by the definitions of the
// counters' nodes): the least bound, and the sequence that is shown.
func TestVectors(t *testing.T) {
	binary, tenths := counter.Spec{Name: "binary", Horizon: 1000}, func(u int64) []int64 { return every(u+1, 1000, 10) }
	for _, c := range []struct {
		name   string
		spec   counter.Spec
		run    owner.Run
		rounds []int64
		most   float64
		by     string
		least  float64
	}{
		{"eight rows of one user", counter.Spec{Name: "binary", Horizon: 8}, run(8, 2, false), every(1, 8, 1), 5, owner.ByAllocation, 5},
		{"eight rows, each arm first", counter.Spec{Name: "binary", Horizon: 8}, run(8, 2, true), every(1, 8, 1), 4, owner.ByAllocation, 4},
		{"every tenth round, from the first", binary, run(1000, 2, true), tenths(0), 76.8, owner.ByAllocation, 72.7},
		{"from the sixth", binary, run(1000, 2, true), tenths(5), 76.8, owner.ByAllocation, 72.2},
		{"from the tenth", binary, run(1000, 2, true), tenths(9), 76.8, owner.ByAllocation, 71.8},
		{"the last hundred", binary, run(1000, 2, true), every(901, 1000, 1), 58, owner.ByLate, 0},
		{"the first hundred", binary, run(1000, 2, true), every(1, 100, 1), 76.8, owner.ByAllocation, 68.4},
		{
			"every fortieth, four arms",
			counter.Spec{Name: "hybrid", Epsilon: big.NewRat(2, 5)},
			run(4000, 4, true),
			every(1, 4000, 40), 38.428571428574, owner.ByAllocation, 36.1156,
		},
	} {
		l := owner.New(law(t, c.spec), c.run)
		owners := []owner.Owner{{Count: int64(len(c.rounds)), Rounds: c.rounds}}
		b := l.AtMost(owners, 0)
		if math.Abs(b.Loss.Float()-c.most) > 1e-9 || b.By != c.by {
			t.Errorf("%s: at most %v by %s, want %v by %s", c.name, b.Loss.Float(), b.By, c.most, c.by)
		}
		s, ok := l.AtLeast(owners)
		if !ok || s.Loss.Float() < c.least-5e-4 || s.Loss.Cmp(b.Loss) > 0 {
			t.Errorf("%s: a sequence of %v, want at least %v", c.name, s.Loss.Float(), c.least)
		}
		t.Logf("%s: at most %v (%s), at least %v", c.name, b.Loss.Decimal(12), b.By, s.Loss.Decimal(12))
	}
}
