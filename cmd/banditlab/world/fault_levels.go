package world

import (
	"fmt"
	"math/bits"
)

// levels returns L = ⌊log2 T⌋ + 1 of a binary counter for T rows, whose nodes
// have noise of scale L/ε, and 0 for every other counter and for T = 1. The
// fault log2-levels takes ⌊log2 T⌋ for it, with which row 1 of a stream of
// 2^{L−1} rows pays L/(L−1) times ε.
func (s *Spec) levels() int64 {
	if c := s.Protocol.Counter; c.Name == "binary" && c.Horizon >= 2 {
		return int64(bits.Len64(uint64(c.Horizon)))
	}
	return 0
}

func (s *Spec) lacksLevels() (wrong bool, why string) {
	c := s.Protocol.Counter
	shown := "the counter is " + c.Name
	if c.Name == "binary" {
		shown = fmt.Sprintf("counter.horizon is %d", c.Horizon)
	}
	return s.levels() == 0, "only the counter binary has levels that are miscounted so, for a horizon of at least 2, and " + shown + "; leave the fault out"
}
