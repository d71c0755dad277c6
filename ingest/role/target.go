package role

import "banditaudit/schemas"

// target are the probabilities of an evaluated policy. They are declared where
// they are asked for, and never guessed; they stand behind the eligible arms, which
// they are held against.
func target() Column {
	return Column{
		Role: Target, Path: "analysis.evaluate", ByArm: true,
		Asked: func(p *schemas.Protocol) []Want { return wants(p.TargetColumns()...) },
		Fit: Fit{
			[]int{0, 1},
			IsProbability,
			"probabilities of an evaluated policy are a list of numbers, one for each arm, or one number, that of the played arm",
			"cast it, for instance CAST(column AS DOUBLE[]) or CAST(column AS DOUBLE)",
		},
		Becomes: func(b *Becoming) string {
			if b.Nested {
				return "targets (of an evaluated policy: " + b.each() + ")"
			}
			return "targets (of an evaluated policy: of the played arm)"
		},
	}
}
