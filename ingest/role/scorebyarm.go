package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/tableau"
)

// scoreByArm are the numbers by which a policy compared the arms in a round.
func scoreByArm() Column {
	return Column{
		Role: ScoreByArm, ByArm: true,
		Fit:     Fit{list(), cell.IsNumber, "scores by arm are a list of numbers, one for each arm", mendByArm},
		Becomes: func(b *Becoming) string { return b.key() + " (" + b.each() + ")" },
		Store:   func(s *tableau.Schema) { s.ScoreByArm = true },
		Names:   Vocabulary{Parts: words("score scores")},
	}
}
