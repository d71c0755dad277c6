package validity

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// choiceWords say how many rounds are right by a choice alone: one that the declaration
// leaves free, or within the window of near ties.
func choiceWords(r *schemas.Conformance) string {
	var out []string
	if c := r.Choices; c != nil && c.StartUsed > 0 {
		out = append(out, freeWords(c.StartUsed, c.Start, r.Rounds, "policy.start: any", "arms without a known reward could begin"))
	}
	if c := r.Choices; c != nil && c.TiesUsed > 0 {
		words := freeWords(c.TiesUsed, c.Ties, r.Rounds, "policy.ties: any", "indices were the largest")
		if float64(c.TiesUsed) > manyTies*float64(r.Rounds) {
			words += "; that is more than 1 % of rounds, in which which of the tied arms was played is not tested (policy.ties: random tests it)"
		}
		out = append(out, words)
	}
	if r.NearTies.Rests() {
		out = append(out, tieWords(r))
	}
	return strings.Join(out, "; ")
}

// chosenVerdict is that on a log of which every action is the policy's, or as good as it.
func chosenVerdict(r *schemas.Conformance) (schemas.Verdict, string) {
	if r.Rests() {
		return schemas.Consistent, choiceWords(r)
	}
	return schemas.Verified, ""
}

// freeWords say how many rounds are right by a free choice alone.
func freeWords(used, of, rounds int64, by, when string) string {
	return fmt.Sprintf("%s of %s %s right only by %s: the log has another arm than the first (%s in which several %s)",
		schemas.Grouped(used), schemas.Counted(rounds, "round"), schemas.Agree(used, "is", "are"), by, schemas.Counted(of, "round"), when)
}

// manyTies is the least share of rounds decided by the window at which the finding says how
// much the window decides.
const manyTies = 0.01

// tieWords say how many rounds are right by the window of near ties alone.
func tieWords(r *schemas.Conformance) string {
	x := r.NearTies
	out := fmt.Sprintf("%s of %s %s right only within policy.near_ties = %.3g: another arm's index was as large or larger, by at most %.2g of it (%s with several indices so close)",
		schemas.Grouped(x.Used), schemas.Counted(r.Rounds, "round"), schemas.Agree(x.Used, "is", "are"), x.Window, *x.Largest,
		schemas.Counted(x.Rounds, "round"))
	if float64(x.Used) > manyTies*float64(r.Rounds) {
		out += "; that is more than 1 % of rounds, in which which of the tied arms was played is not tested"
	}
	return out
}
