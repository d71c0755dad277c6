package world

import "math/bits"

// levels returns L = ⌊log2 T⌋ + 1 of a binary counter for T rows, whose nodes
// have noise of scale L/ε, and false for every other counter and for T = 1. The
// fault log2-levels takes ⌊log2 T⌋ for it, with which row 1 of a stream of
// 2^{L−1} rows pays L/(L−1) times ε.
func (s *Spec) levels() (int64, bool) {
	c := s.Protocol.Counter
	if c == nil || c.Name != "binary" || c.Horizon < 2 {
		return 0, false
	}
	return int64(bits.Len64(uint64(c.Horizon))), true
}
