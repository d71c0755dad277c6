package world

import "banditaudit/replay"

// Bernoulli is the name of the world bernoulli.
const Bernoulli = "bernoulli"

func describeBernoulli() World {
	return World{
		Name: Bernoulli, Doc: "pays 1 with probability MEAN, else 0", Takes: []string{"means"}, Binary: true,
		Law: func(s *Spec) Law { return bernoulli{s.Means} },
	}
}

// bernoulli is a world in which arm a pays 1 with probability means[a] and 0
// otherwise, independently over rounds and arms:
//
//	y = 1 when ⌊u/2¹¹⌋·2⁻⁵³ < means[a]
type bernoulli struct{ means }

var _ Law = bernoulli{}

// Reward tosses the coin of arm.
func (w bernoulli) Reward(_ int64, arm int, word uint64, _ *replay.Round) float64 {
	return coin(word, w.means[arm])
}

// coin is 1 with probability mean and 0 otherwise.
func coin(word uint64, mean float64) float64 {
	if uniform(word) < mean {
		return 1
	}
	return 0
}

// NewBernoulli makes the world of one experiment that pays 0 and 1 with the
// given means, each in [0,1], and has independent N(0,1) contexts of length
// dim. master and experiment select its streams.
func NewBernoulli(means []float64, dim int, master [32]byte, experiment string) *Environment {
	return newEnvironment(bernoulli{means}, scene{dim: dim}, master, experiment)
}
