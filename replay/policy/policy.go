package policy

import (
	"math/rand/v2"
)

// State is what a selection function may look at. Slices have one element per
// arm, except X and XByArm. The runner owns them; a policy only reads.
//
// Played, Pulls, Sums, Spreads, Weighed and Vectors stand still between two updates of the
// policy; Round and what the round brings with it do not.
type State struct {
	Round    int64       // t, 1-based: the round being decided
	Played   []int64     // rounds in which arm i was played
	Pulls    []int64     // N_i, rows in arm i's released sum; may be fewer than Played: rewards not yet known, sums not yet released
	Sums     []float64   // released sum of N_i rewards of arm i, rescaled to [0,1]; 0 when N_i = 0
	Spreads  []float64   // Σ(y − mean)² of these N_i rewards; nil unless the policy reads it, by exact sums
	Weighed  []float64   // Σ w·y of these N_i rewards, w the weight of the round in which each was earned; nil unless the policy is Weighing, by exact sums
	Vectors  [][]float64 // released Σ φ·y over N_i rows of arm i, d numbers each; nil unless the policy is Linear
	X        []float64   // context of the round, d numbers for all arms; nil when there is none
	XByArm   []float64   // contexts of the round, arm by arm, K·d numbers; nil when there are none
	Scores   []float64   // numbers of the round, one of every arm, that somebody else has made; nil when there are none
	Eligible []bool      // arms that may be played in the round, one at least; nil: all
}

// NewState returns the state before round 1 of a bandit with k arms.
func NewState(k int) *State {
	return &State{Round: 1, Played: make([]int64, k), Pulls: make([]int64, k), Sums: make([]float64, k)}
}

// CanPlay reports whether arm may be played in the round.
func (s *State) CanPlay(arm int) bool { return len(s.Eligible) == 0 || s.Eligible[arm] }

// Draws are the sources of a policy's own choices. Each is a stream of its own,
// so that one of them that falls out of step leaves the other in step.
type Draws struct {
	Choice rand.Source // the law of the policy
	Ties   rand.Source // drawn ties: one word in every round; nil: of equal arms the first is played
	Start  rand.Source // of a start in random order (see Start), and of an Opening
}

// Policy is one run's selection functions f_1, f_2, ….
type Policy interface {
	// Select returns an eligible arm for round s.Round. It is called exactly
	// once per round, whether or not its choice is followed, so that the
	// policy's own streams stay in step with the round.
	Select(s *State) int
	// Observe tells the policy that arm's Played, Pulls, Sums, Spreads, Weighed or Vectors
	// in s have changed. It is not called where the policy reads no rewards.
	Observe(s *State, arm int)
	// Propensities writes the probability of each arm at round s.Round, given
	// s, into dst: 0 for arms that are not eligible. For a policy without
	// randomness of its own it is 1 for one arm. It draws nothing.
	Propensities(s *State, dst []float64)
	// Random reports whether the policy draws for its choices.
	Random() bool
	// ReadsRewards reports whether the choice depends on State.Sums, State.Spreads,
	// State.Weighed or State.Vectors.
	ReadsRewards() bool
}

// Indexed is a policy that plays an arm with the largest of some numbers, its
// indices, unless it explores or there is an arm without rows. Another program
// that computes the same indices in another order of operations rounds them
// differently, and may find a tie where this one does not, or none where it does.
type Indexed interface {
	Policy
	// Indices returns the indices by which round s.Round is decided; indices of arms that are
	// not eligible mean nothing. It returns nil where something else decides, and may do so
	// where one is ahead of all others by more than 2⁻²⁰ of it: there no near tie is. The
	// slice is used again.
	Indices(s *State) []float64
	// Explored reports whether the last Select played an arm that its draws chose.
	Explored() bool
	// Shares writes what Propensities would be, were the indices of winners, one
	// eligible arm at least, equal and the largest.
	Shares(s *State, winners []int, dst []float64)
}

// Weighing is a policy that weighs every reward by how it came to be earned, and reads
// Σ w·y of every arm, State.Weighed, beside its sum.
type Weighing interface {
	Policy
	// Weights writes w ≥ 0, finite, of a row that plays each arm in round s.Round, given
	// what the policy sees in it. They are asked for in the round, whenever its reward
	// becomes known. It draws nothing.
	Weights(s *State, dst []float64)
}

// Linear is a policy that reads Σ φ_t·y_t of every arm from a vector counter,
// State.Vectors, instead of sums. φ_t is public: made of contexts and actions.
type Linear interface {
	Policy
	// Size says that features have d ≥ 1 numbers. It is called once, before
	// everything else.
	Size(d int)
	// Feature returns φ of a row that plays arm in round s.Round: d numbers,
	// valid until the next round.
	Feature(s *State, arm int) []float64
	// Learn adds the feature of one row of arm whose reward has become known, to
	// V_arm = λI + Σ φφ', and says how many rows are in the vector that arm's
	// counter has released last; a release changes that number. V_arm is taken
	// over the rows of that vector: all up to its release, or, where there are
	// fewer, those since the release before. Select sees it from the arm's next
	// Observe on.
	Learn(arm int, phi []float64, rows int64)
}
