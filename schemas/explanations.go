package schemas

// explanation is what a reader is told of a kind of hypothesis.
type explanation struct {
	kind   string // what it says happened
	fitted string // what its fitted value is; "" where it has none
}

// explanations are the kinds of hypotheses, by the name that results.json has.
func explanations() map[string]explanation {
	const floor, exponent = "floor", "exponent κ of n^κ"
	return map[string]explanation{
		HypothesisScale:      {"noise of another scale", "ratio of scales"},
		"no-noise":           {"no noise", "ratio of scales"},
		"noise-on-mean":      {"noise on the mean and not the sum", exponent},
		"noise-over-n-twice": {"noise divided by n once more", exponent},
		"fresh-prefixes":     {"fresh noise for every release", exponent},
		"shared-noise":       {"noise that arms share", "share of equal draws"},
		"same-instant":       {"rewards learned at the very time of a choice", ""},
		"stale":              {"propensities of another moment", ""},
		"swapped":            {"propensities of other arms", ""},
		"uniform-rows":       {"rounds of a uniform choice", "share of uniform rounds"},
		"cadence":            {"another schedule of updates", ""},
		"parameter":          {"another parameter of the policy", "parameter of the policy"},
		"prior":              {"another prior", "parameter of the prior"},
		"floor":              {"another floor that is mixed in", floor},
		"clipped-floor":      {"small propensities raised to a floor", floor},
	}
}

// Kind says in words what kind of explanation it is: its name where there are none.
func (h *Hypothesis) Kind() string {
	if e, found := explanations()[h.Name]; found {
		return e.kind
	}
	return h.Name
}

// Fitted says what its fitted value is; "" where it has none.
func (h *Hypothesis) Fitted() string { return explanations()[h.Name].fitted }
