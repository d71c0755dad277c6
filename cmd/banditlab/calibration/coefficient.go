package calibration

import (
	"math"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/regress"
	"banditaudit/cmd/banditlab/mechanisms"
)

// leastRows is the number of rows from which an arm's regression is tested.
const leastRows = 10

// Coefficients runs a pair with contexts that have no effect, and tests for each
// selected arm, in a regression of its rewards on an intercept and two of the
// three columns, which sum to 1, that the first coefficient is 0: the t test with
// classical errors, which is approximate. Theorem 20 and the confidence sequence
// are not counted.
func (s Setting) Coefficients(pair mechanisms.Pair) (Outcome, error) {
	m, err := s.bandit(pair)
	if err != nil {
		return Outcome{}, err
	}
	law := m.LawOver(s.Rounds)
	out := Outcome{Pair: pair, Epsilon: law.Epsilon().Up(), Runs: s.Runs}
	prices := newPricer(law)
	p := &player{m: m, rounds: s.Rounds, means: [Arms]float64{.5, .5, .5}, contexts: true}
	for run := range s.Runs {
		h, err := p.play(run + 1)
		if err != nil {
			return Outcome{}, err
		}
		var fits [Arms]*moments.Cross
		for arm := range fits {
			fits[arm] = moments.NewCross(Dim - 1)
		}
		if err := moments.AddByArm(fits[:], h.arms, h.x[:Dim-1], h.rewards); err != nil {
			return Outcome{}, err
		}
		for i, arm := range h.selections() {
			if h.pulls[arm] >= leastRows {
				coefficient(&out.By[i], h, arm, fits[arm], prices.costs(h, arm))
			}
		}
	}
	return out, nil
}

// coefficient tests the first column of an arm.
func coefficient(c *Count, h *history, arm int, fit *moments.Cross, costs []float64) {
	first := regress.Fit(fit, []string{"x0", "x1"}, true).Classical().Coefficients[1]
	bound := 0.0
	for i, w := range weights(h, arm, fit) {
		bound += float64(math.Abs(w) * math.Tanh(costs[i]/4))
	}
	c.estimate(first.Estimate, bound)
	c.correct(first.Test(0, hypothesis.TwoSided, math.Log(Alpha)).LogP, costs)
}

// weights returns the weights of the rewards in the first coefficient: what is left of
// the column after regression on an intercept and the other one, over the sum of
// its squares.
func weights(h *history, arm int, fit *moments.Cross) []float64 {
	slope := fit.Product(0, 1) / fit.Product(1, 1)
	squares := fit.Product(0, 0) - float64(slope*fit.Product(0, 1))
	var out []float64
	for t, a := range h.arms {
		if int(a) == arm {
			out = append(out, (h.x[0][t]-fit.Mean(0)-float64(slope*(h.x[1][t]-fit.Mean(1))))/squares)
		}
	}
	return out
}
