package allocationtest

import "math"

// Unplayed accumulates how likely it was that an arm is never played: for
// arms that were not, given the probability p_t(a) of arm a in every round,
//
//	ln Π_t (1 − p_t(a))
//
// Where p_t is settled before the choice of round t, 1{a not played before
// t}/Π_{s<t}(1 − p_s(a)) is a martingale with mean 1, however p depends on what
// came before. By Ville's inequality an arm is then never played, and the product
// at most α, with probability at most α: the product is a p-value. It is not
// safe for concurrent use.
type Unplayed struct {
	logP []float64
}

// NewUnplayed returns an empty accumulator for arms 0…arms−1.
func NewUnplayed(arms int) *Unplayed { return &Unplayed{make([]float64, arms)} }

// Add joins a round in which arm had probability p, or at least p. A p that
// rounding has put outside [0, 1] counts as the nearest number within.
func (u *Unplayed) Add(arm int, p float64) {
	u.logP[arm] += math.Log1p(-max(0, min(1, p)))
}

// Merge joins another accumulator for the same arms.
func (u *Unplayed) Merge(o *Unplayed) {
	if len(u.logP) != len(o.logP) {
		panic(BadLength)
	}
	for a, v := range o.logP {
		u.logP[a] += v
	}
}

// LogP returns the logarithm of the probability, −Inf where some p was 1; 0
// where nothing was added.
func (u *Unplayed) LogP(arm int) float64 { return u.logP[arm] }
