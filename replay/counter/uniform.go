package counter

import (
	"math/bits"
	"math/rand/v2"
)

// uniform returns a number from {0, …, n−1}, each with probability exactly
// 1/n, by masking and rejection:
//
//	n = 1: 0, and nothing is drawn
//	n > 1: words, cut to bits.Len64(n−1) low bits, until one is below n
//
// At most half of the words are rejected on average. It must not be called
// with n = 0.
func uniform(src rand.Source, n uint64) uint64 {
	if n == 1 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(n-1) - 1
	for {
		if w := src.Uint64() & mask; w < n {
			return w
		}
	}
}
