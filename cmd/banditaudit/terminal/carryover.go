package terminal

import (
	"slices"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// carryover says which answers take it that an arm changes no later reward.
func carryover(tests []schemas.Test) []string {
	return append(
		onlyIf(tests, schemas.ValidIfNoCarryover, "rewards were not found to follow the arm of the round before, which shows no other carry-over"),
		onlyIf(tests, schemas.ValidIfNoneDeclared, "rewards were not found to follow the arm of the round before")...)
}

// carryoverOfMany is carryover of the experiments that are at hand, together.
func carryoverOfMany(r *digest.Digest) (notes []string) {
	for _, validIf := range []string{schemas.ValidIfNoCarryover, schemas.ValidIfNoneDeclared} {
		if slices.ContainsFunc(r.Experiments, func(e schemas.Experiment) bool {
			return len(onlyIf(e.Tests, validIf, "")) > 0
		}) {
			notes = append(notes, "Answers by rerun are "+validIf+".")
		}
	}
	return notes
}
