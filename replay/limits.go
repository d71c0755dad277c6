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

// ContextShare returns what says which part of the bound that the noise is scaled
// for, policy.context_l1, a context of a played arm takes up, after it was rounded
// to the counter's grid: ‖x‖₁/context_l1, from 0 to 1 and rounded up. The reward
// of that row costs so much of what Law says of its place. That is valid given the
// contexts, where these depend on rewards through released values at most
// (sheet 28.2: a likelihood ratio is bounded path by path, by what the one row
// moves every sum that it enters, over the scale of its noise).
//
// Special cases are:
//
//	nil where there is no such bound: no contexts are summed, or no noise is added
//	+Inf for a context that does not keep to the bound
func (m *Mechanism) ContextShare() func(x []float64) float64 {
	if !m.noisy || !m.linear {
		return nil
	}
	return m.counter.Share
}
