package maxinfo

import "math"

// Correction turns a raw p-value into one that also holds for a hypothesis that
// was chosen from the output of the experiment. All values are natural logs.
type Correction interface {
	// Name says which correction it is, in words.
	Name() string
	// Apply returns ln p_corr, not decreasing in logP and never below it; 0 where
	// nothing is left.
	Apply(logP float64) float64
	// Level returns the ln of the largest raw level γ with Apply(γ) ≤ α, rounded
	// down; -Inf where there is none. A corrected interval is the raw interval at
	// that level.
	Level(logAlpha float64) float64
}

// Conditional is a Correction that holds given the action sequence. Only those
// may enter a minimum: one with an average over the actions among them would
// not hold its level (own derivation: .097 at .05).
type Conditional interface {
	Correction
	givenActions()
}

// Corrected returns the natural log of the corrected p-value, conditional on
// the action sequence,
//
//	p_corr = exp( −½·(√(2·ln(1/p)) − σ)² )  if p < e^(−σ²/2), else 1
//
// where logP = ln p and σ comes from [Sigma] over every row the test reads.
// P(p_corr ≤ α | actions) ≤ α holds for every law in the null hypothesis if p
// is valid with the actions held fixed and the rows are independent. It is
// never below logP. Source: own derivation, internally reviewed. Special cases
// are:
//
//	Corrected(0, σ)       = 0
//	Corrected(-Inf, σ)    = -Inf for finite σ
//	Corrected(logP, 0)    = logP
//	Corrected(logP, +Inf) = 0
//	Corrected(logP, σ)    = NaN if logP > 0, σ < 0 or an argument is NaN
func Corrected(logP, sigma float64) float64 {
	switch {
	case !(logP <= 0) || !(sigma >= 0):
		return math.NaN()
	case math.IsInf(sigma, 1):
		return 0
	case sigma == 0:
		return logP
	}
	root := math.Sqrt(-2 * logP)
	if root <= sigma {
		return 0
	}
	d := root - sigma
	return max(logP, -0.5*d*d) // max: rounding must not turn a correction into a gift
}

// GammaLog returns the natural log of the raw level that gives the corrected
// level α, the inverse of [Corrected] where that is below 1,
//
//	γ(α) = exp( −½·(√(2·ln(1/α)) + σ)² )
//
// A confidence interval with conditional coverage 1 − α is the raw interval at
// level 1 − γ(α). Source: own derivation, internally reviewed. Special cases
// are:
//
//	GammaLog(0, σ)           = -σ²/2
//	GammaLog(-Inf, σ)        = -Inf
//	GammaLog(logAlpha, 0)    = logAlpha
//	GammaLog(logAlpha, +Inf) = -Inf
//	GammaLog(logAlpha, σ)    = NaN if logAlpha > 0, σ < 0 or an argument is NaN
func GammaLog(logAlpha, sigma float64) float64 {
	if !(logAlpha <= 0) || !(sigma >= 0) {
		return math.NaN()
	}
	if sigma == 0 {
		return logAlpha
	}
	d := math.Sqrt(-2*logAlpha) + sigma
	return min(logAlpha, -0.5*d*d)
}
