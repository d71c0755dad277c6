package adaptive

import (
	"math"

	"banditaudit/analyze/tail"
)

// FixedLogP tests that every round played arm a with probability
// probs[a]/Σ probs, from the pulls alone: with T rounds, N_a ~ Bin(T, p_a), and
//
//	p = min(1, m·min_a min(1, 2·min(P(X_a ≤ N_a), P(X_a ≥ N_a)))),  X_a ~ Bin(T, p_a)
//
// over the m arms with 0 < p_a < 1 (Bonferroni; of two arms one says all, m = 1),
// and returns ln p, and the arm that is least likely. Unlike Pearson's statistic, whose law is that of χ² only
// where many pulls of every arm are expected, p is at most α with probability at
// most α at every T and every α. It is what a declared fixed policy can be held
// against without logged propensities. Special cases are:
//
//	an arm with p_a = 0 that was played: -Inf, that arm
//	no rounds, or fewer than two arms with p_a > 0: 0, the first arm
func FixedLogP(pulls []int64, probs []float64) (logP float64, worst int) {
	rounds, total, possible := int64(0), 0.0, 0
	for a, n := range pulls {
		if n > 0 && probs[a] == 0 {
			return math.Inf(-1), a
		}
		rounds += n
		total += probs[a]
		if probs[a] > 0 {
			possible++
		}
	}
	if rounds == 0 || possible < 2 {
		return 0, 0
	}
	least := 0.0
	for a, n := range pulls {
		if p := probs[a] / total; p > 0 {
			if q := math.Ln2 + min(tail.LogBinomialAtMost(n, rounds, p), tail.LogBinomialAtLeast(n, rounds, p)); q < least {
				least, worst = q, a
			}
		}
	}
	if possible > 2 {
		least += math.Log(float64(possible))
	}
	return min(0, least), worst
}
