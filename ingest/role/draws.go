package role

import "banditaudit/ingest/tableau"

// draws is by how many draws the propensities of a row were estimated.
func draws() Column {
	return Column{
		Role:  Draws,
		Asked: asked(Draws),
		Fit:   Fit{flat(), IsProbability, "a number of draws is a whole number, one per row", "cast it to BIGINT"},
		Becomes: func(b *Becoming) string {
			return b.key() + " (whole numbers: by how many draws the propensities were estimated)"
		},
		Store: func(s *tableau.Schema) { s.Draws = true },
		Names: Vocabulary{Whole: []string{"propensity draws", "propensity samples", "n samples", "num samples", "n draws", "num draws", "mc samples", "mc draws", "n mc samples", "posterior samples", "posterior draws", "nsamples", "ndraws"}},
	}
}
