package bias

import "math"

// Approximate returns the bound on the bias of an arm's mean reward, rewards in
// [0, 1], under (ε, δ)-differential privacy,
//
//	|E[mean] − μ| ≤ tanh(ε/4) + (T·δ/4)/P(N ≥ 1)
//
// and at most 1. T is the number of rounds in which the arm could be played; for
// an arm chosen by looking at the actions it is that number times the number of
// arms. played is P(N ≥ 1), the probability that the arm is played at all, or
// less: 1 for a policy that tries every arm, and for an arm chosen because it was
// played. The expectation is over the actions too: unlike [ArmMean] this says
// nothing conditional on them, and the two must not be mixed. It is the largest
// over μ of
//
//	μ(1−μ)·((e^ε − 1) + Tδ) / (1 + (e^ε − 1)·min(μ, 1−μ))
//
// split in two. Source: own derivation, internally reviewed; Neel & Roth 2018
// (arXiv 1806.02329) have (e^ε − 1 + Tδ)·μ. Special cases are:
//
//	Approximate(+Inf, …) = 1
//	NaN if ε < 0, δ is outside [0, 1], rounds < 0, played is outside (0, 1] or an argument is NaN
func Approximate(eps, delta float64, rounds int64, played float64) float64 {
	if !(eps >= 0) || !(delta >= 0 && delta <= 1) || rounds < 0 || !(played > 0 && played <= 1) {
		return math.NaN()
	}
	return min(1, math.Tanh(eps/4)+float64(rounds)*delta/4/played)
}
