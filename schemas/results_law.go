package schemas

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
