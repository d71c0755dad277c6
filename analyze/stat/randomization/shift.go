package randomization

import (
	"context"
	"math"
)

// Shifted returns the log whose rewards are free of the arm where one arm pays what the
// other would have paid and delta more, in every round: rewards of the rounds that played
// arm are less by delta. rewards are the new log's own, of the same length, and are
// written. What is summed in place of the reward has to be made again; Centred is nil.
func (l *Log) Shifted(arm int, delta float64, rewards []float64) *Log {
	out := *l
	out.Centred, out.Reward = nil, rewards
	for t, y := range l.Reward {
		if int(l.Arm[t]) == arm {
			y -= delta
		}
		rewards[t] = y
	}
	return &out
}

// Steps is the number of equal steps of a grid of shifts, fixed before any log was seen.
const Steps = 200

// Grid are the shifts that an interval tries: from −Width to Width in Steps equal steps,
// 0 among them. It depends on the declared range alone.
type Grid struct{ Width float64 }

// At returns shift i, from 0 to Steps: Width·(i − Steps/2)/(Steps/2).
func (g Grid) At(i int) float64 { return float64(i-Steps/2) / (Steps / 2) * g.Width }

// Step is the distance of two neighbours.
func (g Grid) Step() float64 { return g.Width / (Steps / 2) }

// Hull is the outcome of a search over a grid.
type Hull struct {
	Lo, Hi float64 // to the neighbours that are rejected, or the ends of the grid
	Empty  bool    // every shift that was tried is rejected
	Tried  int     // shifts of the grid
}

// Search finds the hull of the shifts of a grid that accepted says are not rejected, from
// both ends: a shift that lies between two that are accepted is not tried, for whether
// shifts are accepted need not be monotone. also is a shift that is accepted beside the
// shifts of the grid; NaN: there is none. On the one side of an alternative where a shift
// is never rejected for being far off, side says so, and the hull ends with the grid: First
// has no upper end, Second no lower one. Every shift from the printed ends outwards, the
// ends of the grid apart, was tried and rejected.
//
// The interval holds a true shift that is one of the grid with probability 1 − α or more
// where accepted is a test of level α. Search returns errors of accepted and of ctx.
func (g Grid) Search(ctx context.Context, side Side, also float64, accepted func(delta float64) (bool, error)) (Hull, error) {
	s := search{Grid: g, ctx: ctx, accepted: accepted, first: 0, last: Steps}
	if err := s.inwards(side); err != nil {
		return Hull{}, err
	}
	out := Hull{Tried: s.tried, Empty: s.first > s.last && also != also}
	lo, hi := math.Inf(1), math.Inf(-1)
	if s.first <= s.last {
		lo, hi = g.At(max(0, s.first-1)), g.At(min(Steps, s.last+1))
	}
	if also == also {
		below, above := g.around(also)
		lo, hi = min(lo, below), max(hi, above)
	}
	if out.Lo, out.Hi = lo, hi; side == First {
		out.Hi = g.Width
	} else if side == Second {
		out.Lo = -g.Width
	}
	return out, nil
}

// around are the shifts of the grid next to one, which lie below and above it.
func (g Grid) around(delta float64) (below, above float64) {
	below, above = -g.Width, g.Width
	for i := range Steps + 1 {
		switch at := g.At(i); {
		case at < delta:
			below = at
		case at > delta:
			return below, at
		}
	}
	return below, above
}

// search is one of Search.
type search struct {
	Grid

	ctx         context.Context //nolint:containedctx // a value is one call of Search
	accepted    func(delta float64) (bool, error)
	first, last int // outermost shifts that are not rejected
	tried       int
}

// inwards moves the two ends inwards until each is accepted.
func (s *search) inwards(side Side) error {
	for ; side != Second && s.first <= s.last; s.first++ {
		if ok, err := s.try(s.first); err != nil {
			return err
		} else if ok {
			break
		}
	}
	for ; side != First && s.first <= s.last; s.last-- {
		if side == Both && s.first == s.last {
			return nil // it is accepted
		}
		if ok, err := s.try(s.last); ok || err != nil {
			return err
		}
	}
	return nil
}

func (s *search) try(i int) (accepted bool, err error) {
	if err = s.ctx.Err(); err != nil {
		return false, err
	}
	s.tried++
	return s.accepted(s.At(i))
}

// Decided returns the number of runs, at most draws, after which it is known whether p of
// [Test] with h = exceedances is at most alpha: ⌈h/α⌉, for p is below α then whatever
// comes. A test with the returned number of draws is rejected where the test of all draws
// is, and only there.
func Decided(draws, exceedances int, alpha float64) int {
	return int(math.Min(float64(draws), math.Ceil(float64(exceedances)/alpha)))
}
