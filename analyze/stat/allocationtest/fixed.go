package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// FixedLogP tests that every round played arm a with probability
// probs[a]/Σ probs, from the pulls alone: with T rounds, N_a ~ Bin(T, p_a), and
//
//	p = min(1, m·min_a min(1, 2·min(P(X_a ≤ N_a), P(X_a ≥ N_a)))),  X_a ~ Bin(T, p_a)
//
// over the m arms with 0 < p_a < 1 (Bonferroni; of two arms one says all, m = 1),
// and returns ln p, and the arm that is least likely. Unlike Pearson's statistic, which
// follows χ² only where many pulls of every arm are expected, p is at most α with
// probability at most α at every T and every α. It is what a declared fixed policy can be
// held against without logged propensities. Special cases are:
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

// minExpected is the expected count per arm from which the χ² law is used.
const minExpected = 5

// UniformLogP tests that every round played each of K arms with probability
// 1/K, from the pulls alone, by Pearson's statistic
//
//	Σ_a (N_a − T/K)²/(T/K)
//
// against the χ² law with K − 1 degrees of freedom, and returns ln p. It is what
// a declared uniform policy can be held against without logged propensities.
// Special cases are:
//
//	fewer than two arms, or fewer than 5·K rounds: 0
func UniformLogP(pulls []int64) float64 {
	var rounds int64
	for _, n := range pulls {
		rounds += n
	}
	expected := float64(rounds) / float64(max(1, len(pulls)))
	if len(pulls) < 2 || expected < minExpected {
		return 0
	}
	statistic := 0.0
	for _, n := range pulls {
		d := float64(n) - expected
		statistic += float64(d*d) / expected
	}
	return tail.LogChiSquare(statistic, float64(len(pulls)-1))
}
