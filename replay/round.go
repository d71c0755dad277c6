package replay

import "math"

// Round is what is public before the choice of a round, beside its number. The
// slices are only read, and only until the next round.
type Round struct {
	X        []float64 // context for all arms, d numbers; nil when there is none
	XByArm   []float64 // contexts arm by arm, K·d numbers; nil when there are none
	Scores   []float64 // K finite numbers that a policy may play by; nil when there are none
	Eligible []bool    // arms that may be played, one at least; nil: all
	Batch    int32     // number of the batch; 0 throughout when there are none
	Stratum  int64     // number of the stratum, ≥ 0, whose state decides; only where strata are declared
	// Released is what the policy saw in this round where that is logged: K sums,
	// or K·d numbers arm by arm, of rewards rescaled to [0,1]. The policy then
	// chooses by these and not by what the run's counters released; Pulls and
	// rows of V come from the run's counters all the same. nil: not logged, and the policy
	// chooses by what the run's counters released.
	Released []float64
}

// NeverKnown is the last round chosen without knowing a reward that never
// became known.
const NeverKnown = math.MaxInt64

// schedule says when a policy learns: what it sees stands still in between.
type schedule struct {
	every int64 // after rounds every, 2·every, …; 1: after each
	batch bool  // instead: when the batch changes
}

// plain reports whether everything is seen as soon as it is known.
func (s schedule) plain() bool { return !s.batch && s.every <= 1 }

// learns reports whether the policy learns before round t, the first of which
// is 1, when its batch differs from the batch of the round before or does not.
func (s schedule) learns(t int64, another bool) bool {
	if s.batch {
		return another
	}
	return s.every == 1 || (t-1)%s.every == 0
}
