package policy

import "slices"

// remembered keeps the propensities of a state until it changes.
type remembered struct {
	probs    []float64
	eligible []bool
	valid    bool
}

// forget says that the state has changed.
func (r *remembered) forget() { r.valid = false }

// recall writes what was kept to dst, where it is of the state and of its
// eligible arms.
func (r *remembered) recall(s *State, dst []float64) bool {
	if !r.valid || !slices.Equal(r.eligible, s.Eligible) {
		return false
	}
	copy(dst, r.probs)
	return true
}

func (r *remembered) keep(s *State, probs []float64) {
	r.probs = append(r.probs[:0], probs...)
	r.eligible = append(r.eligible[:0], s.Eligible...)
	r.valid = true
}
