package policy

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
)

var _ Policy = (*EpsilonGreedy)(nil)

// Explore is the probability ε_t with which epsilon-greedy explores: Constant,
// or where Decay is above 0
//
//	ε_t = min(1, c ⊘ t),   c = Decay,
//
// at round t, counted from 1.
type Explore struct {
	Constant float64 // in [0,1]
	Decay    float64 // > 0; 0: constant
}

// Validate returns all faults of e, joined; each is a *ParamError.
func (e Explore) Validate() error {
	var faults []error
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	if !(e.Constant >= 0 && e.Constant <= 1) {
		faults = append(faults, &ParamError{"explore", number(e.Constant), "it is a probability", "write a number from 0 to 1"})
	}
	if !(e.Decay >= 0 && e.Decay <= math.MaxFloat64) {
		faults = append(faults, &ParamError{"explore.decay", number(e.Decay), "it must be finite and above 0", "write {decay: 5}"})
	}
	if e.Decay > 0 && e.Constant != 0 {
		faults = append(faults, &ParamError{"explore", "given twice", "a number is constant, decay is not", "keep one of them"})
	}
	return errors.Join(faults...)
}

// at returns ε_t.
func (e Explore) at(t int64) float64 {
	if e.Decay > 0 {
		return math.Min(1, e.Decay/float64(t))
	}
	return e.Constant
}

// EpsilonGreedy explores with probability ε_t: each of the m eligible arms is
// then played with probability 1/m. Otherwise it plays the eligible arm with the
// largest mean S_i ⊘ N_i of its released sum, noise included; an eligible arm
// without released rows comes before all others, of several the one that was
// played least, then the first. Of equal means the first arm wins, or where ties
// are seeded each with the same probability. So, with the share g_i of arm i
// in the greedy choice,
//
//	P(i) = ε_t/m + (1 − ε_t)·g_i
//
// (Auer, Cesa-Bianchi and Fischer 2002 for decaying ε_t). Every round takes two
// words of its own stream: it explores when ⌊first/2¹¹⌋·2⁻⁵³ < ε_t, and then
// plays eligible arm number ⌊second·m/2⁶⁴⌋ in index order, whose probability
// differs from 1/m by less than 2⁻⁶⁴. The stream of seeded ties gives one word
// in every round. None of this depends on what the words decide.
type EpsilonGreedy struct {
	explore Explore
	src     rand.Source
	ties    ties
	means   []float64
}

// NewEpsilonGreedy returns the policy over k ≥ 1 arms. The exploration must
// have passed Validate.
func NewEpsilonGreedy(k int, e Explore, d Draws) *EpsilonGreedy {
	return &EpsilonGreedy{explore: e, src: d.Choice, ties: ties{d.Ties}, means: make([]float64, k)}
}

// Select draws whether to explore, and plays.
func (p *EpsilonGreedy) Select(s *State) int {
	explores := unit(p.src) < p.explore.at(s.Round)
	n, _ := bits.Mul64(p.src.Uint64(), uint64(eligible(s))) //nolint:gosec // it counts arms
	greedy := p.ties.choose(s, p.means)
	if explores {
		return nth(s, int(n)) //nolint:gosec // it is below the number of arms
	}
	return greedy
}

// Observe recomputes arm's mean.
func (p *EpsilonGreedy) Observe(s *State, arm int) {
	if n := s.Pulls[arm]; n > 0 {
		p.means[arm] = s.Sums[arm] / float64(n)
	}
}

// Propensities writes ε_t/m + (1 − ε_t)·g_i for the eligible arms.
func (p *EpsilonGreedy) Propensities(s *State, dst []float64) {
	p.ties.chances(s, p.means, dst)
	e := p.explore.at(s.Round)
	each := e / float64(eligible(s))
	for i, g := range dst {
		if s.CanPlay(i) {
			dst[i] = each + float64((1-e)*g)
		}
	}
}

// Random returns true.
func (*EpsilonGreedy) Random() bool { return true }

// ReadsRewards returns true.
func (*EpsilonGreedy) ReadsRewards() bool { return true }
