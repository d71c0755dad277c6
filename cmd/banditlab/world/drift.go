package world

import (
	"cmp"
	"math"

	"banditaudit/replay"
)

func describeDrift() World {
	return World{
		Name: "drift", Doc: "bernoulli, with means that move to the end and back on straight lines", Takes: []string{"means", "means-end", "period"},
		Binary: true, Check: (*Spec).checkDrift,
		Law: func(s *Spec) Law { return drift{s.Means, s.MeansEnd, s.period()} },
	}
}

func (s *Spec) checkDrift() []error {
	return append(s.checkMeans("means-end", s.MeansEnd), broken(
		rule{
			len(s.MeansEnd) > 0 && len(s.Means) > 0 && len(s.MeansEnd) != len(s.Means),
			faultf("means-end", "has %d means, and --means %d; write one for each arm", len(s.MeansEnd), len(s.Means)),
		},
		rule{s.Period < 0 || s.Period == 1 || s.Period > maxRounds, faultf("period", "is %d, must be from 2 to 2^40; it counts the rounds from --means to --means-end and back", s.Period)},
	)...)
}

// period returns the period of a drift in rounds: where none is given, the means reach the far
// end in the last round.
func (s *Spec) period() int64 { return cmp.Or(s.Period, max(2, 2*(s.Rounds-1))) }

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

// Document adds the period, and the means of the last round.
func (w drift) Document(t *Truth) {
	t.Period = w.period
	for a := range w.from {
		t.MeansLast = append(t.MeansLast, w.Mean(t.Rounds, a, nil))
	}
}

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
