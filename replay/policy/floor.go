package policy

import (
	"math/rand/v2"

	"banditaudit/schemas/param"
)

// Floor keeps every eligible arm of a policy from being played with too small a
// probability: it makes of the policy's propensities those of one of four kinds (see
// FloorKinds), and plays by these.
//
// A floor of the kind mix takes one word from its stream in every round, explores when
// ⌊word/2¹¹⌋·2⁻⁵³ < m·f over m eligible arms, and then plays one of these, each with
// probability 1/m, by masking and rejection (see Uniform); otherwise the policy's choice
// stands. A floor of another kind draws an arm from its propensities by one word (see
// categorical), whatever the policy has chosen.
type Floor struct {
	kind     *FloorKind
	f        float64
	src      rand.Source
	probs    []float64 // of the round; nil where the kind is mix
	explores bool      // in the last round
}

// NewFloor returns a floor of the kind mix with 0 < f ≤ 1/K that draws from src.
func NewFloor(f float64, src rand.Source) *Floor { return FloorOf(param.FloorMix).New(f, src) }

// Play returns the arm that is played in the round for which the policy has selected arm.
func (f *Floor) Play(s *State, arm int, p Policy) int {
	if f.kind.apply == nil {
		return f.mix(s, arm)
	}
	if len(f.probs) != len(s.Pulls) {
		f.probs = make([]float64, len(s.Pulls))
	}
	p.Propensities(s, f.probs)
	f.Propensities(s, f.probs)
	played := categorical(f.src, s, f.probs)
	f.explores = played != arm
	return played
}

// mix plays an eligible arm at random with probability m·f.
func (f *Floor) mix(s *State, arm int) int {
	m := eligible(s)
	f.explores = float64(f.src.Uint64()>>11)*0x1p-53 < float64(float64(m)*f.f)
	if !f.explores {
		return arm
	}
	return nth(s, below(f.src, m))
}

// Explored reports whether the last Play drew an arm of its own.
func (f *Floor) Explored() bool { return f.explores }

// Propensities turns the policy's propensities in dst into those over the floor.
func (f *Floor) Propensities(s *State, dst []float64) { f.kind.Apply(s.Eligible, f.f, dst) }
