package report

import (
	"fmt"

	"banditaudit/schemas"
)

// hashed says which rows play the arm of the hash of their unit, beside the checks.
func hashed(b *builder, x *schemas.Hashed) {
	switch {
	case x == nil:
		return
	case x.Weights == "":
		b.note("Arms by the hash of the unit's key (" + x.Hash + "): the weights of all arms are not known, and no row was looked at.")
		return
	}
	of := "the logged propensities of all arms"
	if x.Weights == schemas.WeightsPolicy {
		of = "the declared policy's weights"
	}
	words := fmt.Sprintf("Arms by the hash of the unit's key (%s, %s positions, coverage %s) and %s: %s of %s play the arm of their hash",
		x.Hash, schemas.Grouped(x.Positions), short(x.Coverage), of, schemas.Grouped(x.Matched), schemas.Counted(x.Rows, "row"))
	if x.Within > 0 {
		words += fmt.Sprintf("; %s more do if a weight is off by %.3g, within its decimals", schemas.Grouped(x.Within), x.Window)
	}
	if n := x.Contradicted(); n > 0 {
		words += fmt.Sprintf("; %s do not, %s of them at a position that no range holds", schemas.Grouped(n), schemas.Grouped(x.Outside))
	}
	if x.Unlike > 0 {
		words += fmt.Sprintf("; in %s the logged propensity is not the policy's", schemas.Grouped(x.Unlike))
	}
	b.note(words + ".")
}
