package ipw

import "math"

// Overlap is what the rounds of an arm show of its rewards, as [NormalityRule] looks at it.
// With w = 1/p of the rounds that played the arm, and h the weight of a round. The
// zero value is empty and ready for use.
type Overlap struct {
	Pulls       int64
	Sum         float64 // of the rewards of its pulls
	Least, Most float64 // of these; 0 without any
	LowShare    float64 // Σp over the rounds with p < ½; of an arm whose p is known only where it was played, the number of those
	Low, All    float64 // Σh over these rounds, and over all; likewise the sums of h·w over pulls
	Weights     Mean    // of h·w over pulls: what rewards are weighed by
	Largest     float64 // largest of these

	// Of an arm whose p is known in every round, the ends of p over the rounds with h > 0;
	// 0 without any, or where it is known only where the arm was played.
	Smallest, Greatest float64

	// Over the pulls with p < ½, Σw² and Σw²·reward, with w = 1/p.
	Squares, Earned float64
}

// low is the propensity below which a round says little of an arm.
const low = 0.5

// known joins rounds with weights h and propensities p of the arm, known whether it was
// played or not.
func (s *Overlap) known(h, p []float64) {
	all, lowest, share, last := 0.0, 0.0, 0.0, 0.0
	for t, v := range h {
		if v == 0 {
			continue
		}
		all += v
		if p[t] != last {
			last = p[t]
			s.ends(last, last)
		}
		if p[t] < low {
			lowest += v
			share += p[t]
		}
	}
	s.All, s.Low, s.LowShare = s.All+all, s.Low+lowest, s.LowShare+share
}

// Round joins a round of weight 1 in which the propensity p of the arm is known; an arm
// that could not be played has p = 0, and no round.
func (s *Overlap) Round(p float64) {
	if p == 0 {
		return
	}
	s.known([]float64{1}, []float64{p})
}

// Over takes the rounds of another overlap in place of its own, and keeps its own pulls:
// the known pulls of the arm, where only some rewards are known.
func (s *Overlap) Over(rounds *Overlap) {
	s.LowShare, s.Low, s.All = rounds.LowShare, rounds.Low, rounds.All
	s.Smallest, s.Greatest = rounds.Smallest, rounds.Greatest
}

// ends widens the ends of p.
func (s *Overlap) ends(smallest, greatest float64) {
	if s.Greatest == 0 {
		s.Smallest, s.Greatest = smallest, greatest
		return
	}
	s.Smallest, s.Greatest = min(s.Smallest, smallest), max(s.Greatest, greatest)
}

// Even reports whether an arm is known to have had one propensity in all rounds, so that
// every weighting gives each round the same weight.
func (s *Overlap) Even() bool { return s.Greatest > 0 && s.Greatest <= s.Smallest*(1+roomRule) }

// worth is what the reward of a pull counts: by its propensity p and the weight h of its
// round, w = h/p, and 1/p². It is made once for pulls that have the same.
type worth struct{ h, p, w, square float64 }

func (v *worth) set(h, p float64) *worth {
	if h != v.h || p != v.p {
		*v = worth{h, p, h / p, 1 / float64(p*p)}
	}
	return v
}

// pull joins a round that played the arm.
func (s *Overlap) pull(of *worth, y float64) {
	if s.Pulls++; s.Pulls == 1 {
		s.Least, s.Most = y, y
	}
	s.Sum += y
	s.Least, s.Most = min(s.Least, y), max(s.Most, y)
	s.Weights.Add(of.w, 1)
	s.Largest = max(s.Largest, of.w)
	if of.p < low {
		s.Squares += of.square
		s.Earned += float64(of.square * y)
	}
}

// stands joins a round that played an arm whose propensity is not known elsewhere: it
// stands for 1/p rounds.
func (s *Overlap) stands(of *worth) {
	s.All += of.w
	if of.p < low {
		s.LowShare++
		s.Low += of.w
	}
}

// Merge joins another accumulator; o stays as it is.
func (s *Overlap) Merge(o *Overlap) {
	switch {
	case o.Pulls == 0:
	case s.Pulls == 0:
		s.Least, s.Most = o.Least, o.Most
	default:
		s.Least, s.Most = min(s.Least, o.Least), max(s.Most, o.Most)
	}
	s.Pulls += o.Pulls
	s.Sum += o.Sum
	s.LowShare += o.LowShare
	s.Low += o.Low
	s.All += o.All
	s.Weights.Merge(&o.Weights)
	s.Largest = max(s.Largest, o.Largest)
	s.Squares += o.Squares
	s.Earned += o.Earned
	if o.Greatest > 0 {
		s.ends(o.Smallest, o.Greatest)
	}
}

// LargestShare is the part of all weights of rewards that the largest is; NaN without
// pulls.
func (s *Overlap) LargestShare() float64 {
	if s.Pulls == 0 {
		return math.NaN()
	}
	return s.Largest / s.Weights.weight
}

// Scores are the mean of an arm's scores by one weighting, and what the same rounds
// show of its rewards.
type Scores struct {
	Mean
	Overlap

	moves scoreMoves
}

// Merge joins another accumulator; o stays as it is.
func (s *Scores) Merge(o *Scores) {
	s.Mean.Merge(&o.Mean)
	s.Overlap.Merge(&o.Overlap)
	s.moves.merge(&o.moves)
}
