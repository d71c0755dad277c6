package terminal

import (
	"slices"
	"strings"

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

// onlyIf says which answers rest on what nobody declared or
// recomputed, and why that is weak.
func onlyIf(tests []schemas.Test, validIf, why string) []string {
	names, n := namedTests(tests, func(t *schemas.Test) bool { return t.DecidedBy != "" && strings.Contains(t.ValidIf(), validIf) })
	answer, verb := "The answer to ", " is "
	switch {
	case n == 0:
		return nil
	case n > 1:
		answer, verb = "The answers to ", " are "
	}
	return []string{answer + names + verb + validIf + ": " + why + "."}
}

// namedTests names the tests of which something is so, the first of many, and says how
// many they are.
func namedTests(tests []schemas.Test, so func(*schemas.Test) bool) (names string, n int) {
	const named = 3
	var ids []string
	for i := range tests {
		if t := &tests[i]; so(t) {
			ids = append(ids, schemas.Named(t.ID))
		}
	}
	return schemas.FirstOf(ids, named), len(ids)
}
