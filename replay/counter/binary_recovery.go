package counter

import "math/bits"

// Recover returns a Recovery: the sum of n rows has one node more than that of
// n with its lowest 1 cleared.
func (c *binaryTree) Recover() Recovery {
	scale := nearest(c.scale(c.share()))
	return newForest(c.horizon, func(n int64) edge {
		low := n & -n
		return edge{parent: n - low, level: bits.TrailingZeros64(uint64(low)), scale: scale, row: n, last: n + low - 1} //nolint:gosec // low is positive
	})
}
