package policy

import "math/rand/v2"

// Floor mixes an exploration floor f into a policy with propensities π: of m
// eligible arms each is played with probability at least f,
//
//	p_i = f + (1 − m·f)·π_i,   0 < f ≤ 1/K.
//
// In every round it takes one word from its stream, explores when
// ⌊word/2¹¹⌋·2⁻⁵³ < m·f, and then plays one of the eligible arms, each with
// probability 1/m, by masking and rejection (see Uniform).
type Floor struct {
	f        float64
	src      rand.Source
	explores bool // in the last round
}

// NewFloor returns a floor f that draws from src.
func NewFloor(f float64, src rand.Source) *Floor { return &Floor{f: f, src: src} }

// Mix returns the arm that is played where the policy has selected arm.
func (f *Floor) Mix(s *State, arm int) int {
	m := eligible(s)
	f.explores = float64(f.src.Uint64()>>11)*0x1p-53 < float64(float64(m)*f.f)
	if !f.explores {
		return arm
	}
	return nth(s, below(f.src, m))
}

// Explored reports whether the last Mix played an arm of its own.
func (f *Floor) Explored() bool { return f.explores }

// Propensities turns the policy's propensities in dst into those of the
// mixture.
func (f *Floor) Propensities(s *State, dst []float64) {
	rest := 1 - float64(float64(eligible(s))*f.f)
	for i := range dst {
		if s.CanPlay(i) {
			dst[i] = f.f + float64(rest*dst[i])
		}
	}
}
