package policy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
)

var _ Policy = (*Fixed)(nil)

// Fixed plays arm i with its declared probability p_i, whatever it has seen;
// where not all arms are eligible, with p_i/Σp_j over the eligible arms j, and
// where these have all probability 0, each of m with 1/m. Every round takes one
// word (see categorical), summed over the eligible arms in index order.
type Fixed struct {
	src     rand.Source
	probs   []float64
	uniform []float64 // 1 for each arm
}

// NewFixed returns the policy with these probabilities, which must have passed
// ValidateProbabilities. It draws from src.
func NewFixed(probs []float64, src rand.Source) *Fixed {
	f := &Fixed{src: src, probs: probs, uniform: make([]float64, len(probs))}
	for i := range f.uniform {
		f.uniform[i] = 1
	}
	return f
}

// ValidateProbabilities returns all faults of the probabilities of k arms,
// joined; each is a *ParamError. They must lie in [0,1] and add up to 1 within
// 10⁻⁹: decimal literals do so only up to rounding.
func ValidateProbabilities(probs []float64, k int) error {
	if len(probs) != k {
		return &ParamError{"probabilities", fmt.Sprintf("%d numbers", len(probs)), fmt.Sprintf("there are %d arms", k), "write one probability for each arm"}
	}
	var faults []error
	sum := 0.0
	for i, p := range probs {
		if !(p >= 0 && p <= 1) {
			faults = append(faults, &ParamError{"probabilities", fmt.Sprintf("%g for arm %d", p, i), "a probability lies between 0 and 1", "correct the list"})
		}
		sum += p
	}
	if len(faults) == 0 && !(sum >= 1-1e-9 && sum <= 1+1e-9) {
		faults = append(faults, &ParamError{"probabilities", "a list that adds up to " + strconv.FormatFloat(sum, 'g', -1, 64), "probabilities add up to 1", "correct the list"})
	}
	return errors.Join(faults...)
}

// Select draws one arm.
func (f *Fixed) Select(s *State) int { return categorical(f.src, s, f.weights(s)) }

// Observe does nothing.
func (*Fixed) Observe(*State, int) {}

// Propensities writes the probabilities of the eligible arms, made to add up to
// 1.
func (f *Fixed) Propensities(s *State, dst []float64) { normalise(s, f.weights(s), dst) }

func (f *Fixed) weights(s *State) []float64 {
	if total(s, f.probs) > 0 {
		return f.probs
	}
	return f.uniform
}

// Random returns true.
func (*Fixed) Random() bool { return true }

// ReadsRewards returns false.
func (*Fixed) ReadsRewards() bool { return false }
