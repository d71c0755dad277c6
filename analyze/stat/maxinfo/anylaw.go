package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// AnyLaw returns the correction that follows from the ratio of densities alone,
//
//	p_corr = e^E·p / (1 + (e^E − 1)·p),  E = Σ_t c_t
//
// a shift of the log-odds by E, in nats. Over the rows that the test reads it
// holds given the actions where rows are independent; with the levels of ALL
// rows of the experiment it needs no independence. (With dependent rows those
// that the test does not read must not be left out.) For one row it is the
// exact worst case. Source: Dwork et al. 2015 (arXiv 1506.02629), Theorem 19,
// has e^E·p; this form is own derivation, internally reviewed. Special cases
// are the same as in [Renyi].
func AnyLaw(levels []Level) Conditional { return anyLaw{Total(levels)} }

type anyLaw struct{ shift float64 }

// Name returns what it is, in words.
func (anyLaw) Name() string { return "sum of the costs, for any law of the rows" }

// Apply returns ln p_corr, rounded up.
func (a anyLaw) Apply(logP float64) float64 {
	if q, done := plain(logP, a.shift); done {
		return q
	}
	odds := logOdds(logP)
	// The margin is in proportion to what the odds and the shift were made of.
	odds += a.shift + float64(slack*(math.Abs(odds)+math.Abs(logP)+a.shift))
	return max(logP, upward(fromOdds(odds)))
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (a anyLaw) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, a.shift); done {
		return g
	}
	return settled(downward(fromOdds(logOdds(logAlpha)-a.shift)), logAlpha, a.Apply)
}

func (anyLaw) givenActions() {}

// logOdds returns ln(p/(1−p)).
func logOdds(logP float64) float64 { return logP - log1mExp(logP) }

// fromOdds returns ln p where ln(p/(1−p)) = odds.
func fromOdds(odds float64) float64 {
	return min(0, odds) - math.Log1p(bitexact.Exp(-math.Abs(odds)))
}

// log1mExp returns ln(1 − e^x) for x ≤ 0.
func log1mExp(x float64) float64 {
	if x > -0x1p-900 { // the logarithm of a subnormal number is wrong on some machines
		const up = 128
		return math.Log(-x*0x1p128) - float64(up*math.Ln2)
	}
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-bitexact.Exp(x))
}
