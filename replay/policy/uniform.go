package policy

import (
	"math/rand/v2"

	"banditaudit/schemas/param"
)

var _ Policy = (*Uniform)(nil)

// Uniform plays each of the m eligible arms with probability exactly 1/m,
// whatever it has seen. Each round makes one choice from its stream by masking
// and rejection, among the eligible arms in index order:
//
//	m = 1: that arm, and nothing is drawn
//	m > 1: 64-bit words, cut to bits.Len64(m−1) low bits, until one is below m
type Uniform struct{ src rand.Source }

// NewUniform returns the uniform policy that draws from src.
func NewUniform(src rand.Source) *Uniform { return &Uniform{src: src} }

// Select draws one arm.
func (u *Uniform) Select(s *State) int { return nth(s, below(u.src, eligible(s))) }

// Observe does nothing.
func (*Uniform) Observe(*State, int) {}

// Propensities writes 1/m for every eligible arm.
func (*Uniform) Propensities(s *State, dst []float64) {
	p := 1 / float64(eligible(s))
	for i := range dst {
		dst[i] = 0
		if s.CanPlay(i) {
			dst[i] = p
		}
	}
}

// Random returns true.
func (*Uniform) Random() bool { return true }

// ReadsRewards returns false.
func (*Uniform) ReadsRewards() bool { return false }

func describeUniform() Descriptor {
	return Descriptor{
		Policy:             param.Policy{Name: "uniform", Doc: "every arm with probability 1/K", Reads: param.Nothing, Uniform: true},
		FixedProbabilities: true, Unbounded: anyReward,
		New: func(param.Values, Bandit) func(Draws) Policy {
			return func(d Draws) Policy { return NewUniform(d.Choice) }
		},
		Variants: []Variant{{Text: "every arm with probability 1/K"}},
	}
}
