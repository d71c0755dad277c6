package world

import (
	"math"

	"banditaudit/replay"
)

// drift is a world in which arm a pays 1 with a probability that moves from
// from[a] to to[a] and back, on straight lines, once in every period of P
// rounds, and 0 otherwise, independently over rounds and arms:
//
//	m_a(t) = from[a] + s·(to[a] − from[a]),
//	s = 1 − |1 − 2f|, f = ((t−1) mod P)/P
type drift struct {
	from, to []float64
	period   int64
}

var _ Law = drift{}

// Arms returns K.
func (w drift) Arms() int { return len(w.from) }

// Binary returns true.
func (w drift) Binary() bool { return true }

// Means returns nil: they move.
func (w drift) Means() []float64 { return nil }

// Mean returns m_arm(t).
func (w drift) Mean(t int64, arm int, _ *replay.Round) float64 {
	s := 1 - math.Abs(1-2*float64((t-1)%w.period)/float64(w.period))
	m := w.from[arm] + float64(s*(w.to[arm]-w.from[arm]))
	return max(0, min(1, m)) // the sum rounds
}

// Reward tosses the coin of arm in round t.
func (w drift) Reward(t int64, arm int, word uint64, in *replay.Round) float64 {
	return coin(word, w.Mean(t, arm, in))
}
