package mechanisms

import (
	"math/rand/v2"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/replay"
)

// arms is the number of arms of either world.
const arms = 5

// environment is a world with known truth.
type environment interface {
	replay.Environment
	// Regret returns what playing arm in round t loses in expectation.
	Regret(t int64, arm int) float64
}

// open returns the world of one run. Every arm's stream moves in every round, so
// that all pairs meet the same rewards.
func open(master [32]byte, linear bool) environment {
	if linear {
		return newSimplex(master)
	}
	return world.NewBernoulli([]float64{0.3, 0.4, 0.45, 0.5, 0.6}, 0, master, experiment)
}

// simplex is a world of coins whose means are x'θ, with 0.8 in coordinate i of
// arm i's θ and 0.2 in the others. Its contexts are u/Σu with u uniform on
// (0,1)^5, so that ‖x‖₁ = 1 in every round: what linear policies need in order
// to be told apart. Package world has no such law: its linear world adds normal
// noise to x'θ, and its bounded contexts are within the bound, not on it.
type simplex struct {
	rewards  []rand.Source
	contexts rand.Source
	x        []float64 // of the round
}

func newSimplex(master [32]byte) *simplex {
	w := &simplex{contexts: replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)}
	for i := range arms {
		w.rewards = append(w.rewards, replay.Stream(master, replay.PurposeReward, experiment, i))
	}
	return w
}

// Dim returns the number of arms.
func (*simplex) Dim() int { return arms }

// Context draws the context of the next round.
func (w *simplex) Context(_ int64, dst []float64) {
	sum := 0.0
	for j := range dst {
		dst[j] = unit(w.contexts.Uint64()) + 0x1p-54
		sum += dst[j]
	}
	for j := range dst {
		dst[j] /= sum
	}
	w.x = dst
}

// Reward draws the round's reward of every arm, and returns the reward of one.
func (w *simplex) Reward(_ int64, arm int) float64 {
	paid := 0.0
	for i, s := range w.rewards {
		if word := s.Uint64(); i == arm && unit(word) < w.mean(arm) {
			paid = 1
		}
	}
	return paid
}

// Regret returns the largest mean of an arm less the mean of arm.
func (w *simplex) Regret(_ int64, arm int) float64 {
	best := 0.0
	for i := range arms {
		best = max(best, w.mean(i))
	}
	return best - w.mean(arm)
}

func (w *simplex) mean(arm int) float64 { return 0.2 + float64(0.6*w.x[arm]) }

// unit makes a number in [0,1) of a word.
func unit(word uint64) float64 { return float64(word>>11) * 0x1p-53 }
