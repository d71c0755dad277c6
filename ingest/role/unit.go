package role

import (
	"slices"

	"banditaudit/ingest/tableau"
)

// unit is whose round a row is.
func unit() Column {
	return Column{
		Role: Unit, Pass: First, Labels: true,
		Fit: labels(), Refine: wholeLabels,
		Becomes: func(b *Becoming) string {
			return b.key() + " (0, 1, … in the order of the labels), and an order by unit"
		},
		Store: func(s *tableau.Schema) { s.Unit = true },
		Names: Vocabulary{Whole: words("unit user userid uid person player session sessionid visitor customer client device subject participant patient member account household")},
	}
}

// IsUnitName also takes "user id", "visitor key" and the like.
func IsUnitName(name string) bool {
	column := unit()
	parts, whole := lastWords(name), column.Names.Whole
	if n := len(parts); n > 1 && slices.Contains([]string{"id", "key", "hash", "uuid", "number", "no"}, parts[n-1]) {
		return slices.Contains(whole, parts[n-2])
	}
	return len(parts) == 1 && slices.Contains(whole, parts[0])
}
