package role

import "banditaudit/ingest/tableau"

// propensity is the probability with which the arm that was played was chosen.
func propensity() Column {
	return Column{
		Role:  Propensity,
		Fit:   Fit{flat(), IsProbability, "a propensity is a number, one per row", "cast it to DOUBLE; the propensities of all arms are declared as propensity_by_arm"},
		Store: func(s *tableau.Schema) { s.Propensity = true },
		Names: Vocabulary{
			Whole: []string{"p", "prob", "probability", "propensity", "propensity score", "pscore", "p score", "action prob", "action probability", "p action"},
			Parts: words("propensity pscore prob probability"),
			Never: words("log logit reward click conversion"),
		},
	}
}

// propensityByArm describes the column with the propensities of all arms.
func propensityByArm() Column {
	return Column{
		Role: PropensityByArm, ByArm: true,
		Fit:     Fit{list(), IsProbability, "propensities by arm are a list of numbers, one for each arm", mendByArm},
		Becomes: func(b *Becoming) string { return b.key() + " (" + b.each() + ")" },
		Store:   func(s *tableau.Schema) { s.Propensity, s.PropensityByArm = true, true },
		Names: Vocabulary{
			Whole: words("pi p policy"),
			Parts: words("propensities propensity probs prob probabilities probability pscores pscore distribution"),
		},
	}
}
