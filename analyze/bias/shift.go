package bias

import "math"

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
	return mu * (1 - mu) * gain / (math.Exp(-c) + float64(gain*mu))
}
