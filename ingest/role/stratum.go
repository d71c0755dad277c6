package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// stratum is in which state of the policy a row was decided: policy.by.
func stratum() Column {
	return Column{
		Role: Stratum, Path: "policy.by", Labels: true,
		Asked: func(p *schemas.Protocol) []Want { return wants(p.Strata()) },
		Fit: Fit{
			flat(), cell.IsLabel,
			"a stratum is a whole number, a text, a boolean or a date, one per row",
			"cast it to VARCHAR, or to BIGINT if its values are whole numbers",
		},
		Refine:  wholeLabels,
		Becomes: func(*Becoming) string { return tableau.Stratum + " (0, 1, … in the order of the rounds)" },
		Store:   func(s *tableau.Schema) { s.Stratum = true },
		Names:   Vocabulary{Whole: []string{"leaf", "leafid", "leaf id", "stratum"}},
	}
}
