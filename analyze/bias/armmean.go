package bias

import "math"

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
		sum += float64(n * math.Tanh(l.Cost/4))
	}
	if rows == 0 {
		return math.NaN()
	}
	return sum / rows
}
