package reproduce

import (
	"math/rand/v2"

	"banditaudit/replay"
)

// arms is the number of arms of either world, and dim that of coordinates of a
// context in the linear one.
const (
	arms = 5
	dim  = 5
)

// world pays 1 with the mean of the arm in the round, else 0. Every arm's
// stream moves in every round, so that all pairs meet the same rewards.
type world struct {
	rewards  []rand.Source
	contexts rand.Source // nil: the means stand still
	x        [dim]float64
}

func newWorld(master [32]byte, linear bool) *world {
	w := &world{}
	for i := range arms {
		w.rewards = append(w.rewards, replay.Stream(master, replay.PurposeReward, experiment, i))
	}
	if linear {
		w.contexts = replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)
	}
	return w
}

// unit makes a number in [0,1) of a word.
func unit(word uint64) float64 { return float64(word>>11) * 0x1p-53 }

// enter draws the context of the next round: u/Σu with u uniform on (0,1)^5, so
// that ‖x‖₁ = 1. It is nil where there is none.
func (w *world) enter() []float64 {
	if w.contexts == nil {
		return nil
	}
	sum := 0.0
	for j := range w.x {
		w.x[j] = unit(w.contexts.Uint64()) + 0x1p-54
		sum += w.x[j]
	}
	for j := range w.x {
		w.x[j] /= sum
	}
	return w.x[:]
}

// mean is what arm pays in expectation: 0.3, 0.4, 0.45, 0.5 and 0.6, or x'θ with
// 0.8 in coordinate i of arm i's θ and 0.2 in the others.
func (w *world) mean(arm int) float64 {
	if w.contexts != nil {
		return 0.2 + float64(0.6*w.x[arm])
	}
	return [arms]float64{0.3, 0.4, 0.45, 0.5, 0.6}[arm]
}

// pay draws the round's reward of every arm, and returns that of one.
func (w *world) pay(arm int) float64 {
	paid := 0.0
	for i, s := range w.rewards {
		if word := s.Uint64(); i == arm && unit(word) < w.mean(arm) {
			paid = 1
		}
	}
	return paid
}

// regret is what playing arm in the round loses in expectation.
func (w *world) regret(arm int) float64 {
	best := 0.0
	for i := range arms {
		best = max(best, w.mean(i))
	}
	return best - w.mean(arm)
}
