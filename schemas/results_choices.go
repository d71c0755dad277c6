package schemas

// FreeChoices counts rounds in which the declaration leaves open which of several arms is
// played (policy.start: any, policy.ties: any). They are among those that match, whichever
// of these the log has.
type FreeChoices struct {
	Start     int64 `json:"start"`      // rounds in which any of several arms without a known reward could begin
	StartUsed int64 `json:"start_used"` // of these, in which the log has another than a start in order
	Ties      int64 `json:"ties"`       // rounds in which several indices were the largest
	TiesUsed  int64 `json:"ties_used"`  // of these, in which the log has another than the first
}

// Used counts rounds that are right by a free choice alone.
func (f *FreeChoices) Used() int64 {
	if f == nil {
		return 0
	}
	return f.StartUsed + f.TiesUsed
}

// Rests reports whether any round is right by a choice alone: one that is declared free,
// or within the window of near ties.
func (c *Conformance) Rests() bool { return c.Chosen() > 0 }

// Chosen counts those rounds.
func (c *Conformance) Chosen() int64 {
	n := c.Choices.Used()
	if c.NearTies != nil {
		n += c.NearTies.Used
	}
	return n
}

// Open counts rounds in which more than one arm would have been right.
func (c *Conformance) Open() int64 {
	n := int64(0)
	if c.Choices != nil {
		n += c.Choices.Start + c.Choices.Ties
	}
	if c.NearTies != nil {
		n += c.NearTies.Rounds
	}
	return n
}

// LawReplay holds logged actions against the propensities that the declared policy has by
// the logged rewards.
type LawReplay struct {
	Allocation AllocationTest `json:"allocation"`
	Rounds     int64          `json:"rounds"`     // whose action was drawn by itself, and held
	Impossible int64          `json:"impossible"` // of these, with an action of propensity 0
	// Detectable is the deviation of an arm's probability, on average over those rounds,
	// that is found in four of five logs at Level; null where none is.
	Detectable *float64 `json:"detectable" schema:"range=(0,1)"`
}
