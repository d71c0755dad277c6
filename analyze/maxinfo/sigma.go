package maxinfo

import "math"

// Level counts the rows that have the same privacy cost: Rows rows, each of
// cost Cost ≥ 0 (pure differential privacy, natural log, possibly +Inf). It is
// an alias, so a slice built for package bias serves here too.
type Level = struct {
	Cost float64
	Rows int64
}

// Sigma returns the headline σ of the rows that a test reads,
//
//	σ = √( 2·Σ_levels rows·ρ_BR(cost) ) ≤ ½·√(Σ_t c_t²)
//
// in √nats. Levels are summed in the order given. Special cases are:
//
//	Sigma(nil)    = 0
//	Sigma(levels) = +Inf if a level with Rows > 0 has cost +Inf
//	Sigma(levels) = NaN if a level with Rows > 0 has a cost below 0 or NaN
//
// Levels with Rows ≤ 0 count for nothing.
func Sigma(levels []Level) float64 {
	sum := 0.0
	for _, l := range levels {
		if l.Rows > 0 {
			sum += float64(float64(l.Rows) * RhoBR(l.Cost))
		}
	}
	return math.Sqrt(2 * sum)
}
