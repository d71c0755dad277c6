package counter

import (
	"math/bits"

	"banditaudit/replay/ledger"
)

// Each Costs is Cost(n, size).Up() for many rows of one stream: the few numbers
// that it takes are rounded once.

var (
	_ ledger.Coster = (*binaryTree)(nil)
	_ ledger.Coster = (*epochs)(nil)
	_ ledger.Coster = (*hybrid)(nil)
	_ ledger.Coster = (*interval)(nil)
	_ ledger.Coster = (*perRow)(nil)
	_ ledger.Coster = (*tree)(nil)
)

// Costs returns ε.
func (c *perRow) Costs(size int64) func(n int64) float64 { return constant(c.Epsilon(), size) }

// Costs returns ε for the rows of completed epochs.
func (c *epochs) Costs(size int64) func(n int64) float64 {
	return constant(c.Epsilon(), int64(1)<<ended(max(size, 0))-1)
}

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

// Costs counts nodes.
func (c *binaryTree) Costs(size int64) func(n int64) float64 {
	up := multiples(c.node(), ledger.Loss{}, c.levels)
	size = min(size, c.horizon)
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		return up[treeNodes(n, size, c.levels)]
	}
}

// Costs counts nodes.
func (c *tree) Costs(size int64) func(n int64) float64 {
	up := multiples(c.loss(), ledger.Loss{}, c.h)
	return func(n int64) float64 { return up[c.nodes(n, size)] }
}

// Costs counts tree nodes, of each segment alone and beside a logarithmic node.
func (h *hybrid) Costs(size int64) func(n int64) float64 {
	lg := h.node(0)
	var up [2][][]float64
	for k := range h.levels + 1 {
		up[0] = append(up[0], multiples(h.node(k), ledger.Loss{}, k))
		up[1] = append(up[1], multiples(h.node(k), lg, k))
	}
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		shared := 0
		if end := bits.Len64(uint64(n - 1)); end < 63 && int64(1)<<end <= size {
			shared = 1
		}
		k, r := segment(n)
		if r == 0 {
			return up[shared][k][0]
		}
		return up[shared][k][treeNodes(r, segmentRows(k, size), k)]
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

// Costs computes the cost of a group when its first row comes.
func (c *interval) Costs(size int64) func(n int64) float64 {
	releases := c.releases(size)
	g, last, all := group(releases), int64(-1), c.total(releases)
	up := 0.0
	return func(n int64) float64 {
		if n < 1 || n > releases*c.every {
			return 0
		}
		m := (n - 1) / c.every
		if m -= m % g; m != last {
			last, up = m, c.cost(all-c.total(m)).Up()
		}
		return up
	}
}
