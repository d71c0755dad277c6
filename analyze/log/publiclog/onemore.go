package publiclog

import (
	"errors"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// OneMore reports whether the logged propensities are shares of draws, and actions
// were drawn by one more draw: what is logged is then an estimate of the probability
// with which the action was drawn, and not that probability, and 1/q is above 1/p on
// average, by about (1−p)/(N·p) of it.
func OneMore(protocol *schemas.Protocol) bool {
	l := &protocol.Log
	return l.PropensityDraws != nil && l.Drawn == schemas.DrawnOneMore
}

// weighed are the arms of rows that have a weight: −1 where the logged propensity
// of the action is 0, which only an action that was drawn by one more draw has.
func weighed(arms []int32, p []float64) []int32 {
	if !slices.Contains(p, 0) {
		return arms
	}
	out := slices.Clone(arms)
	for t := range out {
		if p[t] == 0 {
			out[t] = -1
		}
	}
	return out
}

// errZero is returned for a tableau with an action of propensity 0 that the
// protocol does not allow.
var errZero = errors.New("the tableau has an action with propensity 0, and log.drawn is not one-more; ingest the log again with this protocol")

// zeros counts the actions of a chunk with propensity 0.
func zeros(protocol *schemas.Protocol, c *tableau.Chunk) (int64, error) {
	n := int64(0)
	for _, p := range c.Propensity {
		if p == 0 {
			n++
		}
	}
	if n > 0 && !OneMore(protocol) {
		return 0, errZero
	}
	return n, nil
}
