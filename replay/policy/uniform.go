package policy

import (
	"math/bits"
	"math/rand/v2"
)

var _ Policy = (*Uniform)(nil)

// Uniform plays each of K arms with probability exactly 1/K, whatever it has
// seen. Each round makes one choice from its stream by masking and rejection:
//
//	K = 1: arm 0, and nothing is drawn
//	K > 1: 64-bit words, cut to bits.Len64(K−1) low bits, until one is below K
type Uniform struct {
	src  rand.Source
	k    uint64
	mask uint64
	p    float64 // 1/K
}

// NewUniform returns the uniform policy over k ≥ 1 arms that draws from src.
func NewUniform(k int, src rand.Source) *Uniform {
	n := uint64(k) //nolint:gosec // k is at least 1
	return &Uniform{src: src, k: n, mask: uint64(1)<<bits.Len64(n-1) - 1, p: 1 / float64(k)}
}

// Select draws one arm.
func (u *Uniform) Select(*State) int {
	if u.k == 1 {
		return 0
	}
	for {
		if w := u.src.Uint64() & u.mask; w < u.k {
			return int(w) //nolint:gosec // w is below K, an int
		}
	}
}

// Observe does nothing.
func (*Uniform) Observe(*State, int) {}

// Propensities writes 1/K for every arm.
func (u *Uniform) Propensities(_ *State, dst []float64) {
	for i := range dst {
		dst[i] = u.p
	}
}

// Random returns true.
func (*Uniform) Random() bool { return true }

// ReadsRewards returns false.
func (*Uniform) ReadsRewards() bool { return false }
