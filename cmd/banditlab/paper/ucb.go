package paper

import (
	"strconv"

	"banditaudit/schemas"
)

// delta is the confidence of widths and relaxations where the paper names none.
const delta = 0.05

// width is √(c·ln t/N).
func width(c float64) schemas.Values { return schemas.Values{"c": c} }

// printedWidth is √(2·ln(t/δ)/N), the width of the printed algorithm.
func printedWidth() schemas.Values { return schemas.Values{"delta": delta} }

// ucb is UCB without noise.
func ucb(k int, w schemas.Values, ties string) *schemas.Protocol {
	return protocol(k, &schemas.Policy{Name: "ucb", Own: schemas.Values{"width": w}, Ties: ties}, &schemas.Counter{Name: schemas.CounterExact})
}

// privateUCB is the paper's private UCB: noise of the hybrid mechanism on each
// arm's sum at its share ε/K, and the relaxation named by bonus.
func privateUCB(k int, w schemas.Values, bonus, ties, share string, horizon int64) *schemas.Protocol {
	return protocol(k, &schemas.Policy{Name: "ucb", Own: schemas.Values{"width": w, "bonus": bonus}, Ties: ties},
		&schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational(share), Horizon: horizon})
}

func protocol(k int, p *schemas.Policy, c *schemas.Counter) *schemas.Protocol {
	out := &schemas.Protocol{Policy: p, Counter: c, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
	for i := range k {
		out.Arms = append(out.Arms, strconv.Itoa(i+1))
	}
	return out
}

// descending are k means from 1 down in steps of .05.
func descending(k int) []float64 {
	means := make([]float64, k)
	for i := range means {
		means[i] = float64(20-i) / 20
	}
	return means
}
