package maxinfo

// Renyi returns the correction by Rényi divergence, [Corrected] at the σ of
// [Sigma] over the levels of every row that the test reads,
//
//	p_corr = exp( −½·(√(2·ln(1/p)) − σ)² )  if p < e^(−σ²/2), else 1
//
// It is closed in form; [Moments] is never above it, beyond rounding. Its Level
// is [GammaLog]. Special cases are:
//
//	no rows, or all costs 0: Apply(p) = p, Level(α) = α
//	a cost of +Inf: Apply(p) = 1, Level(α) = 0 for α < 1
//	a cost below 0 or NaN: Apply and Level are NaN
//	Apply(0) = 0, Apply(1) = 1, Level(0) = 0, Level(1) = 1
//	Apply and Level are NaN of a logarithm above 0 or NaN
func Renyi(levels []Level) Conditional { return renyi{Sigma(levels) * summed(levels)} }

type renyi struct{ sigma float64 }

// Name returns what it is, in words.
func (renyi) Name() string { return "Rényi divergence of the rows given the actions" }

// Apply returns ln p_corr, rounded up.
func (r renyi) Apply(logP float64) float64 {
	if q, done := plain(logP, r.sigma); done {
		return q
	}
	return max(logP, upward(Corrected(upward(logP), r.sigma)))
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (r renyi) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, r.sigma); done {
		return g
	}
	return settled(downward(GammaLog(logAlpha, r.sigma)), logAlpha, r.Apply)
}

func (renyi) givenActions() {}
