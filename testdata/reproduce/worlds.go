package reproduce

import (
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/world"
)

// arms is the number of arms of either world, and d that of coordinates of a
// context in the linear one.
const (
	arms = 5
	d    = 5
)

// truth is a world whose expected rewards are known.
type truth interface {
	replay.Environment
	// regret is what playing arm in the round that was entered last loses in
	// expectation.
	regret(arm int) float64
}

// coins pays 0 or 1, with means 0.3, 0.4, 0.45, 0.5 and 0.6.
type coins struct{ *world.Bernoulli }

func means() []float64 { return []float64{0.3, 0.4, 0.45, 0.5, 0.6} }

func newCoins(master [32]byte) truth {
	return coins{world.NewBernoulli(means(), 0, master, experiment)}
}

func (coins) regret(arm int) float64 { return means()[arms-1] - means()[arm] }

// lines pays 1 with probability x'θ of the arm, else 0. Contexts lie on the
// simplex, u/Σu with u uniform on (0,1)^5, so that ‖x‖₁ = 1; coordinate i of
// arm i's θ is 0.8, all others are 0.2.
type lines struct {
	contexts rand.Source
	rewards  []rand.Source
	x        [d]float64
}

func newLines(master [32]byte) truth {
	w := &lines{contexts: replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)}
	for i := range arms {
		w.rewards = append(w.rewards, replay.Stream(master, replay.PurposeReward, experiment, i))
	}
	return w
}

// Dim returns 5.
func (*lines) Dim() int { return d }

// Context draws x.
func (w *lines) Context(_ int64, dst []float64) {
	sum := 0.0
	for j := range w.x {
		w.x[j] = (float64(w.contexts.Uint64()>>11) + 0.5) * 0x1p-53
		sum += w.x[j]
	}
	for j := range w.x {
		w.x[j] /= sum
	}
	copy(dst, w.x[:])
}

// Reward draws a coin of arm, whose stream moves in every round.
func (w *lines) Reward(_ int64, arm int) float64 {
	paid := 0.0
	for i, s := range w.rewards {
		if word := s.Uint64(); i == arm && float64(word>>11)*0x1p-53 < w.mean(arm) {
			paid = 1
		}
	}
	return paid
}

func (w *lines) mean(arm int) float64 { return 0.2 + float64(0.6*w.x[arm]) }

func (w *lines) regret(arm int) float64 {
	best := 0.0
	for i := range arms {
		best = max(best, w.mean(i))
	}
	return best - w.mean(arm)
}
