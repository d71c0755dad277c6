package truth

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// drawn are propensities that are shares of so many draws: the policy draws
// vectors from its posterior, counts how often each arm was best, and plays by the
// counts.
func drawn() []Honest {
	var out []Honest
	for _, n := range []int{100, 1_000, 10_000, 100_000, 1_000_000} {
		out = append(out, Honest{
			Name: fmt.Sprintf("shares of %d draws", n), Item: 13, Open: true, Before: "VIOLATED",
			Text:     "propensities of all arms are shares of draws, made again after every 50 rounds; nothing says so",
			Protocol: head("draws", 4, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.counted(n)
				return d.log(labels(4)...)
			},
		})
	}
	return out
}

// counted plays a softmax of four arms by counts of n draws, twenty times 50 rounds.
func (d *deployment) counted(n int) {
	means, sums := spread(4), make([]float64, 4)
	for range 20 {
		q := multinomial(d.draw, n, softmax(.02, sums, nil))
		for range 50 {
			arm := d.pick(q)
			y := d.coin(means[arm])
			sums[arm] += y
			d.chosen(arm, q, y)
		}
	}
}

// multinomial is the share of each arm in n draws.
func multinomial(src *rand.Rand, n int, p []float64) []float64 {
	out, left, rest := make([]float64, len(p)), float64(n), 1.0
	for i, of := range p {
		count := left
		if i < len(p)-1 && left > 0 && of < rest {
			count = distuv.Binomial{N: left, P: of / rest, Src: src}.Rand()
		}
		out[i] = count / float64(n)
		left, rest = left-count, rest-of
	}
	return out
}
