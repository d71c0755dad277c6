package owner_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/replay/ledger/owner"
)

// table has c(n, s) by the law's own formula, as floats and exactly.
type table struct {
	law  ledger.Law
	size int
	cost [][]float64 // by s and n
}

func tableOf(law ledger.Law, size int) *table {
	out := &table{law: law, size: size}
	for s := range size + 1 {
		row := make([]float64, s+1)
		for n := 1; n <= s; n++ {
			row[n] = law.Cost(int64(n), int64(s)).Float()
		}
		out.cost = append(out.cost, row)
	}
	return out
}

// rows are the costs of the rounds of a path.
func (c *table) rows(path []int, dst []float64) []float64 {
	var total, seen [8]int
	for _, a := range path {
		total[a]++
	}
	dst = dst[:0]
	for _, a := range path {
		seen[a]++
		dst = append(dst, c.cost[total[a]][seen[a]])
	}
	return dst
}

// exact is what rounds lose on a path, exactly.
func (c *table) exact(path []owner.Stretch, rounds []int64) ledger.Loss {
	var arms []int
	for _, s := range path {
		for range s.Rounds {
			arms = append(arms, s.Arm)
		}
	}
	total, seen := map[int]int64{}, map[int]int64{}
	for _, a := range arms {
		total[a]++
	}
	var sum ledger.Loss
	for t, a := range arms {
		seen[a]++
		if slices.Contains(rounds, int64(t+1)) {
			sum = sum.Add(c.law.Cost(seen[a], total[a]))
		}
	}
	return sum
}

// supremum goes over all sequences: the most that the rounds lose, and that any m do.
func (c *table) supremum(k int, order []int, rounds []int64) (mine, anybody float64) {
	path, costs := make([]int, c.size), []float64(nil)
	copy(path, order)
	for {
		costs = c.rows(path, costs)
		sum := 0.0
		for _, t := range rounds {
			sum += costs[t-1]
		}
		mine = max(mine, sum)
		sorted := slices.Clone(costs)
		slices.Sort(sorted)
		sum = 0
		for _, v := range sorted[c.size-len(rounds):] {
			sum += v
		}
		anybody = max(anybody, sum)
		at := c.size - 1
		for ; at >= len(order); at-- {
			if path[at]++; path[at] < k {
				break
			}
			path[at] = 0
		}
		if at < len(order) {
			return mine, anybody
		}
	}
}

// specs are all counters with noise, for logs of a few rounds.
func specs(size int64) []counter.Spec {
	v := big.NewRat(11, 10)
	return []counter.Spec{
		{Name: "laplace"},
		{Name: "epochs"},
		{Name: "binary", Horizon: size},
		{Name: "binary", Horizon: max(1, size/2)},
		{Name: "hybrid"},
		{Name: "tree", Horizon: size},
		{Name: "tree", Horizon: 13},
		{Name: "tree", Horizon: 40},
		ternary,
		{Name: "interval", Horizon: size, Exponent: v, Epsilon: big.NewRat(1, 2)},
		{Name: "interval", Horizon: size, Exponent: v},
	}
}

// TestEnumerated goes over all sequences of runs of up to ten rounds, of every counter,
// with rounds of one owner that are drawn: what is shown ≤ the supremum ≤ that of any
// rounds ≤ the bound by allocation, and the supremum ≤ the least bound, which also holds
// where each arm is played once first.
func TestEnumerated(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	for _, size := range []struct{ rounds, arms int }{{1, 2}, {4, 2}, {7, 2}, {10, 2}, {5, 3}, {7, 3}, {6, 4}} {
		for _, spec := range specs(int64(size.rounds)) {
			c := tableOf(law(t, spec), size.rounds)
			for range 5 {
				rounds := []int64{}
				for at := range size.rounds {
					if r.IntN(3) > 0 {
						rounds = append(rounds, int64(at+1))
					}
				}
				if len(rounds) == 0 {
					rounds = []int64{int64(size.rounds)}
				}
				name := fmt.Sprintf("%s(%d) T=%d K=%d U=%v", spec.Name, spec.Horizon, size.rounds, size.arms, rounds)
				for _, forced := range []bool{false, true} {
					if forced && size.rounds < size.arms {
						continue
					}
					enumerated(t, name, c, run(int64(size.rounds), size.arms, forced), rounds)
				}
			}
		}
	}
}

// enumerated holds the bounds of one run against all its sequences.
func enumerated(t *testing.T, name string, c *table, run owner.Run, rounds []int64) {
	t.Helper()
	const slack = 1e-9 // sums of floats
	mine, anybody := c.supremum(run.Arms, run.Order, rounds)
	owners := []owner.Owner{{Count: int64(len(rounds)), Rounds: rounds}}
	bound := owner.New(c.law, run).AtMost(owners, 0).Loss.Float()
	placed := run
	placed.Placed = false
	allocation := owner.New(c.law, placed).AtMost(owners, 0).Loss.Float()
	if mine > bound+slack || anybody > allocation+slack || bound > allocation+slack {
		t.Errorf("%s, order %v: suprema %v and of any rounds %v, bounds %v and %v", name, run.Order, mine, anybody, bound, allocation)
	}
	free := run
	free.Arms = 0
	if v := owner.New(c.law, free).AtMost(owners, 0).Loss.Float(); mine > v+slack {
		t.Errorf("%s: the supremum is %v, and the bound for any number of arms %v", name, mine, v)
	}
	s, ok := owner.New(c.law, run).AtLeast(owners)
	if !ok {
		if int64(run.Arms) <= run.Rounds && run.Arms > 1 {
			t.Errorf("%s: nothing is shown", name)
		}
		return
	}
	if got := c.exact(s.Path, rounds); !got.Equal(s.Loss) || s.Loss.Float() > mine+slack {
		t.Errorf("%s, order %v: %v is shown by a sequence of %v, and the supremum is %v", name, run.Order, s.Loss, got, mine)
	}
	for i, a := range run.Order {
		at := int64(0)
		for _, v := range s.Path {
			if at += v.Rounds; at > int64(i) {
				if v.Arm != a {
					t.Errorf("%s: round %d plays %d, not %d", name, i+1, v.Arm, a)
				}
				break
			}
		}
	}
}

// TestEnumeratedTable has the suprema of a second program, which went over all K^T
// sequences: for the given rounds, and for as many anywhere.
func TestEnumeratedTable(t *testing.T) {
	for _, c := range []struct {
		rounds, arms  int
		spec          counter.Spec
		owned         []int64
		mine, anybody float64
	}{
		{10, 2, counter.Spec{Name: "binary", Horizon: 10}, every(1, 10, 1), 5.75, 5.75},
		{10, 2, counter.Spec{Name: "binary", Horizon: 10}, every(2, 10, 2), 3.25, 3.75},
		{10, 2, counter.Spec{Name: "binary", Horizon: 10}, every(6, 10, 1), 2.5, 3.75},
		{10, 2, counter.Spec{Name: "hybrid"}, every(1, 10, 1), 6.5, 6.5},
		{10, 2, counter.Spec{Name: "hybrid"}, []int64{4, 5, 9}, 2.5, 2.75},
		{7, 3, counter.Spec{Name: "hybrid"}, every(1, 7, 1), 4, 4},
		{7, 3, counter.Spec{Name: "binary", Horizon: 7}, every(4, 7, 1), 8. / 3, 3},
		{9, 2, counter.Spec{Name: "epochs"}, every(1, 9, 1), 8, 8},
		{8, 2, ternary, every(5, 8, 1), 8. / 3, 11. / 3},
		{10, 2, ternary, every(1, 10, 1), 22. / 3, 22. / 3},
		{10, 2, specs(10)[9], every(6, 10, 1), 3.9489, 8.1008},
	} {
		tab := tableOf(law(t, c.spec), c.rounds)
		slack := 1e-9
		if c.spec.Name == "interval" {
			slack = 1e-3 // theirs does not round the weights
		}
		mine, anybody := tab.supremum(c.arms, nil, c.owned)
		if math.Abs(mine-c.mine) > slack || math.Abs(anybody-c.anybody) > slack {
			t.Errorf("%s T=%d U=%v: %v and %v, want %v and %v", c.spec.Name, c.rounds, c.owned, mine, anybody, c.mine, c.anybody)
		}
		r := run(int64(c.rounds), c.arms, false)
		r.Placed = false
		b := owner.New(tab.law, r).AtMost([]owner.Owner{{Count: int64(len(c.owned))}}, 0)
		if math.Abs(b.Loss.Float()-c.anybody) > slack {
			t.Errorf("%s T=%d m=%d: allocation %v, want the supremum %v", c.spec.Name, c.rounds, len(c.owned), b.Loss.Float(), c.anybody)
		}
	}
}
