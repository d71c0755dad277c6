package conformance

import (
	"fmt"

	"banditaudit/schemas"
)

// clippedFloor raises what is below f to f and divides by the sum,
//
//	p_i = max(π_i, f) / Σ_j max(π_j, f),   j over the eligible arms,
//
// with any f.
func (c *comparison) clippedFloor(rows []*tried, declared float64) []schemas.Hypothesis {
	s, f, t := c.fit(rows, fittable{allows: clippedAllows, law: clippedLaw})
	says := func(f float64) (words, settles string) {
		is, not := apart(f, declared)
		words = fmt.Sprintf("propensities below f = %s are raised to it and all divided by their sum, p = max(π, f)/Σ max(π, f)", is)
		if declared == 0 {
			return words + "; no floor is declared", ""
		}
		return words + fmt.Sprintf("; declared is a floor of %s that is mixed in", not), ""
	}
	return fitted("clipped-floor", "raising small propensities to a floor", says, s, f, t)
}

// clippedAllows solves for f: p falls until f = π and rises from there on.
func clippedAllows(o *tried, within span) []span {
	pi, m := o.want[o.arm], float64(o.arms())
	clipped := func(f float64) float64 { return max(pi, f) / o.raised(f) }
	turn := min(pi, 1/m)
	spans := []span{crossing(clipped, 0, turn, within), crossing(clipped, turn, 1/m, within)}
	if a, b := spans[0], spans[1]; a.lo <= a.hi && b.lo <= b.hi && a.hi >= b.lo {
		return []span{{a.lo, b.hi}} // one row counts once
	}
	return spans
}

// raised returns Σ max(π_j, f) over the eligible arms.
func (o *tried) raised(f float64) float64 {
	sum := 0.0
	for a, pi := range o.want {
		if o.can(a) {
			sum += max(pi, f)
		}
	}
	return sum
}

func clippedLaw(o *tried, f float64, dst []float64) {
	sum := o.raised(f)
	for a, pi := range o.want {
		dst[a] = 0
		if o.can(a) {
			dst[a] = max(pi, f) / sum
		}
	}
}
