package role

// action names the arm that was played.
func action() Column {
	return Column{
		Role: Action, Labels: true,
		Fit:     labels(),
		Refine:  wholeLabels,
		Becomes: func(b *Becoming) string { return "arm (" + b.arms() + ")" },
		Names: Vocabulary{
			Whole: []string{"action", "action id", "arm", "arm id", "arm name", "a", "variant", "variant id", "variation", "treatment", "item id", "item", "choice", "chosen", "chosen arm", "chosen action", "decision", "creative id", "banner id", "ad id"},
			Parts: words("action arm variant variation treatment creative banner choice"),
			Never: words("p prob probs probability propensity propensities pscore score scores reward rewards ts time features context noisy released eligible available sums position"),
		},
	}
}
