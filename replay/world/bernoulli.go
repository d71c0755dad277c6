package world

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"banditaudit/replay"
)

// Bernoulli is a world in which arm a pays 1 with probability Means[a] and 0
// otherwise, independently over rounds and arms. Contexts are independent
// N(0,1) coordinates and rewards do not depend on them.
type Bernoulli struct {
	means   []float64
	streams []rand.Source
	context *rand.Rand
	draws   []uint64 // this round's word of every arm
	round   int64    // the round that draws belongs to
	dim     int
}

var _ replay.Environment = (*Bernoulli)(nil)

// CheckMeans reports the first mean outside [0,1], or too few of them.
func CheckMeans(means []float64) error {
	if len(means) == 0 {
		return errors.New("world: bernoulli needs at least one mean; give --means 0.4,0.6")
	}
	for i, m := range means {
		if math.IsNaN(m) || m < 0 || m > 1 {
			return fmt.Errorf("world: mean %d is %v, must be in [0,1]", i+1, m)
		}
	}
	return nil
}

// NewBernoulli makes the world of one experiment with contexts of length dim.
// Means are in [0,1]; master and experiment select its streams.
func NewBernoulli(means []float64, dim int, master [32]byte, experiment string) *Bernoulli {
	w := &Bernoulli{
		means:   means,
		context: rand.New(replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)),
		draws:   make([]uint64, len(means)),
		dim:     dim,
	}
	for arm := range means {
		w.streams = append(w.streams, replay.Stream(master, replay.PurposeReward, experiment, arm))
	}
	return w
}

// Dim is the length of a context.
func (w *Bernoulli) Dim() int { return w.dim }

// Context writes the coordinates of the round's context into dst. Rounds are
// asked for once each, in order.
func (w *Bernoulli) Context(_ int64, dst []float64) {
	for j := range dst {
		dst[j] = w.context.NormFloat64()
	}
}

// Reward is what arm pays in round t: 0 or 1. Rounds are asked for in order,
// beginning with 1; within a round any arm may be asked any number of times.
func (w *Bernoulli) Reward(t int64, arm int) float64 {
	for w.round < t {
		w.round++
		for a, s := range w.streams {
			w.draws[a] = s.Uint64()
		}
	}
	if float64(w.draws[arm]>>11)*0x1p-53 < w.means[arm] {
		return 1
	}
	return 0
}
