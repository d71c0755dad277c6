package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
)

// batch is the stretch of rounds between two updates.
func batch() Column {
	return Column{
		Role: Batch, Labels: true,
		Fit: Fit{
			flat(), func(c *pages.Column) bool { return cell.IsLabel(c) || c.Kind == pages.Timestamp },
			"a batch is a whole number, a text, a boolean, a date or a timestamp, one per row",
			"cast it to VARCHAR, or to BIGINT if its values are whole numbers",
		},
		Refine:  wholeLabels,
		Becomes: func(b *Becoming) string { return b.key() + " (0, 1, … in the order of the rounds)" },
		Store:   func(s *tableau.Schema) { s.Batch = true },
		Names:   Vocabulary{Whole: append(words("dt date day hour week month period wave version"), "bandit version", "model version"), Parts: words("batch wave epoch")},
	}
}
