package policy

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas/param"
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
// Check of param.Policy. It draws from src.
func NewFixed(probs []float64, src rand.Source) *Fixed {
	f := &Fixed{src: src, probs: probs, uniform: make([]float64, len(probs))}
	for i := range f.uniform {
		f.uniform[i] = 1
	}
	return f
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

func describeFixed() Descriptor {
	const why, mend = "plays each arm with a declared probability", "add probabilities: [..., ...], one for each arm"
	return Descriptor{
		Policy: param.Policy{
			Name: "fixed", Doc: "arms with declared probabilities", Reads: param.Nothing,
			Keys: []param.Key{{
				Name: probabilitiesKey, Needed: true, Why: why, Mend: mend, Doc: "probabilities of the arms, in index order",
				Form: param.Shares{Why: "fixed " + why, Mend: mend},
			}},
		},
		FixedProbabilities: true, Unbounded: anyReward,
		Start: func(s Scene) map[string]string {
			equal := make([]string, s.Arms)
			for i := range equal {
				equal[i] = strconv.FormatFloat(1/float64(s.Arms), 'g', -1, 64)
			}
			return map[string]string{probabilitiesKey: "[" + strings.Join(equal, ", ") + "]"}
		},
		New: func(v param.Values, _ Bandit) func(Draws) Policy {
			probs := slices.Clone(v.Numbers(probabilitiesKey))
			return func(d Draws) Policy { return NewFixed(probs, d.Choice) }
		},
		Variants: []Variant{{Keys: "probabilities: [0.1, 0.1, 0.2, 0.2, 0.4]", Text: "arms with declared probabilities"}},
	}
}

// probabilitiesKey is the key of the declared allocation.
const probabilitiesKey = "probabilities"
