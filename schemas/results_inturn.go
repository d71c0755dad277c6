package schemas

// PlaysInTurn reports whether a log that is not that of the declared policy would be, by
// all actions and propensities that were compared, where the policy counted its own plays
// as they come, and not as of its last update: it chooses by them among arms of which no
// reward is known.
func (c *Conformance) PlaysInTurn() bool {
	p := c.Propensities
	if c.Mode != ModeSeed && c.Mode != ModePropensity || p != nil && p.Draws != nil {
		return false
	}
	wrong, other := c.Replayable-c.Matched, int64(0)
	if p != nil {
		other = p.Rounds - p.Matched
		if other != p.InTurn {
			return false
		}
	}
	return wrong+other > 0 && wrong == c.InTurn
}
