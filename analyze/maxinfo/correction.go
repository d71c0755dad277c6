package maxinfo

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
