package bias

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Shift returns how far the conditional mean of one reward in [0, 1] with mean
// mu can lie below and above mu, when its row has privacy cost c,
//
//	−U(c, 1−μ) ≤ E[y | actions] − μ ≤ U(c, μ)
//	U(c, μ) = μ·(1−μ)·(e^c − 1) / (1 + (e^c − 1)·μ) ≤ tanh(c/4)
//
// Both are attained by two-valued rewards; the greatest over μ is tanh(c/4) at
// μ = 1/(1 + e^{c/2}). It needs μ: where μ is unknown use [ArmMean]. Source: own
// derivation, internally reviewed. Special cases are:
//
//	Shift(0, μ)    = 0, 0
//	Shift(+Inf, μ) = -μ, 1-μ for 0 < μ < 1
//	Shift(c, 0)    = 0, 0 and Shift(c, 1) = 0, 0
//	Shift(c, μ)    = NaN, NaN if c < 0, μ is outside [0, 1] or an argument is NaN
func Shift(c, mu float64) (lower, upper float64) {
	if !(c >= 0) || !(mu >= 0 && mu <= 1) {
		return math.NaN(), math.NaN()
	}
	return 0 - oneSided(c, 1-mu), oneSided(c, mu) // 0 − x: no negative zero
}

// oneSided is U(c, μ) with numerator and denominator multiplied by e^(−c), so
// that nothing overflows.
func oneSided(c, mu float64) float64 {
	if mu == 0 || mu == 1 {
		return 0
	}
	gain := -math.Expm1(-c) // 1 − e^(−c)
	return mu * (1 - mu) * gain / (bitexact.Exp(-c) + float64(gain*mu))
}

// Level counts the rows that have the same privacy cost: Rows rows, each of
// cost Cost ≥ 0 (pure differential privacy, natural log, possibly +Inf). It is
// an alias, so a slice built for package maxinfo serves here too.
type Level = struct {
	Cost float64
	Rows int64
}

// ArmMean returns the bound on the bias of an arm's mean reward, rewards in
// [0, 1], conditional on the actions,
//
//	|E[mean | actions] − μ| ≤ (1/N)·Σ_levels rows·tanh(cost/4),  N = Σ rows
//
// which is at most tanh(ε/4). For a policy that sees contexts, or drifting
// rewards, μ is the mean of E[y_t | x_t] over the rows played. Source: own
// derivation, internally reviewed. Levels with Rows ≤ 0 count for nothing.
// Special cases are:
//
//	ArmMean(levels) = NaN if no row is left
//	ArmMean(levels) = NaN if a level with rows has a cost below 0 or NaN
//	cost +Inf counts 1 per row
func ArmMean(levels []Level) float64 {
	sum, rows := 0.0, 0.0
	for _, l := range levels {
		if l.Rows <= 0 {
			continue
		}
		if !(l.Cost >= 0) {
			return math.NaN()
		}
		n := float64(l.Rows)
		rows += n
		sum += float64(n * bitexact.Tanh(l.Cost/4))
	}
	if rows == 0 {
		return math.NaN()
	}
	return sum / rows
}

// Row returns the bound on the shift of one reward's expectation by the actions,
// rewards in [0, 1], for a row of privacy cost c ≥ 0 (natural log),
//
//	|E[y | actions] − μ| ≤ tanh(c/4)
//
// for every mean μ; see [Shift]. It is the τ that bounds the bias of coefficients
// and predictions by their weights of the rows. Where a unit owns several rows, c
// is the sum of the costs of all its rows. Source: own derivation, internally
// reviewed. Special cases are:
//
//	Row(0)    = 0
//	Row(+Inf) = 1
//	Row(c)    = NaN if c < 0 or NaN
func Row(c float64) float64 {
	if !(c >= 0) {
		return math.NaN()
	}
	return bitexact.Tanh(c / 4)
}

// Rows writes Row of each cost to dst, which is as long, otherwise it panics.
// Neighbours of one cost are computed once.
func Rows(dst, costs []float64) {
	if len(dst) != len(costs) {
		panic("bias: slice length mismatch")
	}
	last, tau := 0.0, 0.0
	for i, c := range costs {
		if c != last {
			last, tau = c, Row(c)
		}
		dst[i] = tau
	}
}

// Paper returns the bound on the bias of an arm's mean reward as Neel & Roth
// 2018 print it (arXiv 1806.02329), rewards in [0, 1],
//
//	e^ε − 1
//
// about four times [ArmMean] at small ε. Special cases are:
//
//	Paper(0)    = 0
//	Paper(+Inf) = +Inf
//	Paper(ε)    = NaN if ε < 0 or NaN
func Paper(eps float64) float64 {
	if !(eps >= 0) {
		return math.NaN()
	}
	return math.Expm1(eps)
}

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
	return min(1, bitexact.Tanh(eps/4)+float64(rounds)*delta/4/played)
}
