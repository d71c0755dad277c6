package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// position is the key of a unit, which a declared hash turns into the unit's position.
// It is the column of units once more, and never guessed.
func position() Column {
	return Column{
		Role: Position, Path: "policy.draw.unit",
		Asked: func(p *schemas.Protocol) []Want {
			if d := p.Hashed(); d != nil {
				return wants(d.Unit)
			}
			return nil
		},
		Fit: Fit{
			flat(), func(c *pages.Column) bool { return c.Kind == pages.Text || cell.WholeNumbers(c) },
			"the key of a unit that is hashed is a text or a whole number, one per row",
			"cast it to VARCHAR, as the platform hashed it",
		},
		Refine: wholeLabels,
		Becomes: func(b *Becoming) string {
			return b.key() + " (where " + b.Protocol.Hashed().Hash + " puts the unit)"
		},
	}
}
