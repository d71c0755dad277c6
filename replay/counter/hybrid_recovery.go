package counter

import "math/bits"

// Recover returns a Recovery: the sum of n = 2^k + r rows has one node more than
// that of 2^k and r with its lowest 1 cleared, and the sum of 2^k rows has one
// logarithmic node more than that of 2^{k−1}.
func (h *hybrid) Recover() Recovery {
	scales := h.scales // made once: a log can have thousands of streams
	most := int64(1)<<(h.levels+1) - 1
	return newForest(most, func(n int64) edge {
		k, r := segment(n)
		if r == 0 {
			return edge{parent: n / 2, level: -1, scale: scales[0], row: n, last: most}
		}
		low := r & -r
		return edge{parent: n - low, level: bits.TrailingZeros64(uint64(low)), scale: scales[k], row: n, last: n + low - 1} //nolint:gosec // low is positive
	})
}
