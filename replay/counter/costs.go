package counter

import "banditaudit/replay/ledger"

// The Costs of a counter are Cost(n, size).Up() of many rows of one stream: the
// few numbers that this takes are rounded once.

// constant returns a cost of the first size rows.
func constant(cost ledger.Loss, size int64) func(n int64) float64 {
	up := cost.Up()
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		return up
	}
}

// multiples returns base + i·loss, rounded up, for i = 0…most.
func multiples(loss, base ledger.Loss, most int) []float64 {
	up := make([]float64, most+1)
	for i := range up {
		up[i] = base.Add(loss.Times(int64(i))).Up()
	}
	return up
}
