package role

import (
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// clock is the first order column once more, by whose times the policy learns:
// policy.update.clock. It is never guessed.
func clock() Column {
	return Column{
		Role: Clock, Path: "policy.update.clock", Compares: FirstAxis,
		Asked: func(p *schemas.Protocol) []Want {
			if u := p.Clock(); u != nil {
				return wants(u.Clock)
			}
			return nil
		},
		Fit: Fit{
			flat(), func(c *pages.Column) bool { return c.Kind == pages.Timestamp || c.Kind == pages.Date },
			"the clock of an update by time is a column of timestamps or dates, one per row",
			"cast it to TIMESTAMP",
		},
		Becomes: func(*Becoming) string {
			return tableau.BatchNumber + " (0, 1, … , one for each period that has rounds), and " + tableau.RewardRound + " (when a row is learned)"
		},
		Store: func(s *tableau.Schema) { s.Batch, s.RewardRound, s.RewardBefore = true, true, true },
	}
}
