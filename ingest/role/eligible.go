package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
)

// eligible are the arms that could be played.
func eligible() Column {
	return Column{
		Role: Eligible, ByArm: true,
		Fit:     Fit{list(), cell.IsLabel, "eligible arms are a list of their labels, or of a boolean for each arm", "cast it, for instance CAST(column AS VARCHAR[])"},
		Refine:  wholeLabels,
		InOrder: func(c *pages.Column) bool { return c.Kind == pages.Bool },
		Becomes: func(b *Becoming) string { return b.key() + " (" + b.each() + "; null: all)" },
		Store:   func(s *tableau.Schema) { s.Eligible = true },
		Names:   Vocabulary{Parts: words("eligible available allowed mask candidates candidate slate")},
	}
}
