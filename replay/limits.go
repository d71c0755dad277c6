package replay

import (
	"math"
)

// Capacity returns the most rows that one arm's stream takes. A run in which
// one more arrives ends with an error.
//
// Special cases are:
//
//	a policy that reads no rewards, or exact sums, has MaxInt64
func (m *Mechanism) Capacity() int64 {
	if m.counter == nil {
		return math.MaxInt64
	}
	return m.counter.Capacity()
}

// ContextFits returns what says whether the context of a played arm keeps to the
// bound that the noise is scaled for, policy.context_l1. A run in which the
// reward of another arrives ends with an error.
//
// Special cases are:
//
//	nil where there is no such bound: no contexts are summed, or no noise is added
func (m *Mechanism) ContextFits() func(x []float64) bool {
	if !m.noisy || !m.linear {
		return nil
	}
	return m.counter.Fits
}
