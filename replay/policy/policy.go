package policy

import "fmt"

// State is what a selection function may look at. All slices have one element
// per arm, except X. The runner owns them; a policy only reads.
type State struct {
	Round int64     // t, 1-based: the round being decided
	Pulls []int64   // N_i, rows in arm i's stream
	Sums  []float64 // released sum of arm i's rewards, rescaled to [0,1]; 0 before the first row
	X     []float64 // context of the round; nil when there is none
}

// NewState returns the state before round 1 of a bandit with k arms.
func NewState(k int) *State {
	return &State{Round: 1, Pulls: make([]int64, k), Sums: make([]float64, k)}
}

// Policy is one run's selection functions f_1, f_2, ….
type Policy interface {
	// Select returns the arm for round s.Round. It is called exactly once per
	// round, whether or not its choice is followed, so that the policy's own
	// stream stays in step with the round.
	Select(s *State) int
	// Observe tells the policy that arm's count and sum in s have changed.
	Observe(s *State, arm int)
	// Propensities writes the probability of each arm at round s.Round, given
	// s, into dst. For a policy without randomness of its own it is 1 for one
	// arm.
	Propensities(s *State, dst []float64)
	// Random reports whether the policy draws for its choices.
	Random() bool
	// ReadsRewards reports whether the choice depends on State.Sums.
	ReadsRewards() bool
}

// ParamError is a parameter that a policy cannot be built with.
type ParamError struct {
	Param string // name of the parameter, as in the protocol
	Value string
	Rule  string
	Mend  string
}

// Error names the parameter, its value, the rule and the mend.
func (e *ParamError) Error() string {
	return fmt.Sprintf("policy: %s is %s: %s; %s", e.Param, e.Value, e.Rule, e.Mend)
}
