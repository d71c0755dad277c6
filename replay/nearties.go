package replay

import (
	"math"
	"slices"
)

// near is what a run keeps of near ties.
type near struct {
	arms []int
	gaps []float64
}

// Near returns the eligible arms whose indices lie within the declared window w of
// the largest, in index order, with how far each lies below it:
//
//	gap_i = (max − index_i)/|max| ≤ w
//
// It returns none where no window is declared and ties are not free, where the policy
// compares no indices, and in a round that an arm without rows decides, or the opening.
// Where the start is free, it returns the eligible arms without rows, at no gap, of which
// any may begin. Draws may have decided
// it all the same, see Explored. It is called between Next and Add or Hold, and
// draws nothing. The slices are used again by the next call.
//
// Special cases are:
//
//	a largest index of 0 is equal to 0 alone
func (r *run) Near() (arms []int, gaps []float64) {
	if r.indexed == nil || r.opened || r.m.window == 0 && !r.m.Free() {
		return nil, nil
	}
	s, n := r.state, &r.nearly
	if r.m.free.start && r.Starting() {
		return r.begins()
	}
	if r.m.window == 0 && !r.m.free.ties {
		return nil, nil // the start alone is free
	}
	indices := r.indexed.Indices(s)
	if indices == nil {
		return nil, nil
	}
	n.arms, n.gaps = n.arms[:0], n.gaps[:0]
	most := r.largest(indices)
	least := most - float64(r.m.window*math.Abs(most))
	for i, v := range indices {
		if !(v >= least) || !s.CanPlay(i) {
			continue
		}
		n.arms, n.gaps = append(n.arms, i), append(n.gaps, gapOf(v, most))
	}
	return n.arms, n.gaps
}

// begins returns the eligible arms without rows.
func (r *run) begins() (arms []int, gaps []float64) {
	n := &r.nearly
	n.arms, n.gaps = n.arms[:0], n.gaps[:0]
	for arm, rows := range r.state.Pulls {
		if rows == 0 && r.state.CanPlay(arm) {
			n.arms, n.gaps = append(n.arms, arm), append(n.gaps, 0)
		}
	}
	return n.arms, n.gaps
}

// Below returns how far the index of an eligible arm lies below the largest, as Near
// has it, whatever the window is; false where the policy compares no indices, in a
// round that an arm without rows or a draw decides, and of an arm that cannot be played.
func (r *run) Below(arm int) (gap float64, compared bool) {
	if r.indexed == nil || r.Explored() || !r.state.CanPlay(arm) {
		return 0, false
	}
	indices := r.indexed.Indices(r.state)
	if indices == nil {
		return 0, false
	}
	return gapOf(indices[arm], r.largest(indices)), true
}

// largest is the largest index of an eligible arm.
func (r *run) largest(indices []float64) float64 {
	most := math.Inf(-1)
	for i, v := range indices {
		if v > most && r.state.CanPlay(i) {
			most = v
		}
	}
	return most
}

// gapOf is (most − v)/|most|, 0 where v is the largest.
func gapOf(v, most float64) float64 {
	if v < most {
		return (most - v) / math.Abs(most)
	}
	return 0
}

// Explored reports whether the arm that Next returned was drawn, by the policy or
// by its floor, and not compared.
func (r *run) Explored() bool {
	return r.opened || r.indexed != nil && r.indexed.Explored() || r.floor != nil && r.floor.Explored()
}

// Starting reports whether an arm that can be played has no released rows in the
// round that Next entered, of a policy that plays such an arm before all others: it
// compares indices that are made of the arm's own released sum.
func (r *run) Starting() bool {
	if r.indexed == nil || r.m.linear || r.opened || !r.m.waits {
		return false
	}
	for arm, n := range r.state.Pulls {
		if n == 0 && r.state.CanPlay(arm) {
			return true
		}
	}
	return false
}

// Behind reports whether the policy, which learns at updates, does not count all rounds
// that were played: State.Played too stands as of the last update.
func (r *run) Behind() bool { return !slices.Equal(r.state.Played, r.live.Played) }

// Counting returns what Propensities would, were all plays counted as they come, and not
// as of the last update; what is known of rewards stays as of the last update. The slice is
// used again by the next call of it or of Propensities.
func (r *run) Counting() []float64 {
	seen := r.state.Played
	r.state.Played = r.live.Played
	defer func() { r.state.Played = seen }()
	return r.Propensities()
}

// Winning returns what Propensities would, were the indices of winners, of those
// that Near returns, equal and the largest. The slice is used again by the next
// call of it or of Propensities.
func (r *run) Winning(winners ...int) []float64 {
	r.indexed.Shares(r.state, winners, r.probs)
	if r.floor != nil {
		r.floor.Propensities(r.state, r.probs)
	}
	return r.probs
}

// Plain reports whether each of some arms has the same mean by whatever arithmetic: where
// it has one released row at most, or all its rewards, rescaled to [0, 1], are 0, or all
// are 1. Of others a mean that is moved by each reward and one that is divided anew may
// differ in the last bit, which splits arms that are equal otherwise.
func (r *Runner) Plain(arms []int) bool {
	for _, arm := range arms {
		n := r.state.Pulls[arm]
		if n <= 1 && !r.m.linear || n == 0 {
			continue
		}
		if r.m.linear || r.state.Sums[arm] != 0 && r.state.Sums[arm] != float64(n) {
			return false
		}
	}
	return true
}

// NearTies returns the declared window of equal indices, relative to the largest;
// 0 where none is declared, or the policy compares no indices.
func (m *Mechanism) NearTies() float64 { return m.window }

// FreeTies and FreeStart report whether any of several arms of equal indices, or without
// rows, is as right as another.
func (m *Mechanism) FreeTies() bool { return m.free.ties }

// FreeStart is described at FreeTies.
func (m *Mechanism) FreeStart() bool { return m.free.start }

// Seeded reports whether ties are drawn, so that each of several has a propensity.
func (m *Mechanism) Seeded() bool { return m.ties }
