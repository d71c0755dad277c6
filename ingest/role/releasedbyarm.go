package role

import "banditaudit/ingest/cell"

// releasedByArm are the values of all arms that the policy saw.
func releasedByArm() Column {
	return Column{
		Role: ReleasedByArm, ByArm: true,
		Asked:   asked(ReleasedByArm),
		Fit:     Fit{[]int{1, 2}, cell.IsNumber, "released values by arm are a list of numbers, or of lists of numbers, one for each arm", mendByArm},
		Becomes: func(b *Becoming) string { return b.key() + " (" + b.each() + ")" },
		Names:   Vocabulary{Parts: words("noisy released noised private dp")},
	}
}
