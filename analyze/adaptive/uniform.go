package adaptive

import "banditaudit/analyze/tail"

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
