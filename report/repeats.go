package report

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// repeats says what the later rounds of units show of repeated arms, beside the
// checks.
func (s *study) repeats(b *builder) {
	x := s.x.Data.Repeats
	if x == nil {
		return
	}
	words := fmt.Sprintf("Units that come again: in %s of %s the arm is that of the unit's round before", schemas.Grouped(x.Same), schemas.Counted(x.Later, "later round"))
	if x.Expected != nil {
		words += fmt.Sprintf("; by the logged propensities %s would be, were every round drawn by itself", schemas.Grouped(int64(math.Round(*x.Expected))))
	}
	b.note(words + "." + keptWords(x.Kept) + anewWords(x.Anew))
}

// keptWords say where units had to keep their arm; "" where one draw a unit is not
// declared.
func keptWords(x *schemas.Kept) string {
	switch {
	case x == nil:
		return ""
	case x.Rounds == 0:
		return " Where nothing that is logged of the weights changes a unit is declared to keep its arm; there is no such later round."
	}
	return fmt.Sprintf(" In %s of them nothing that is logged of the weights had changed since the unit's round before, and a unit is declared to keep its arm; in %s it does not.",
		schemas.Grouped(x.Rounds), schemas.Grouped(x.Moved))
}

// anewWords say what the wager on the arm of the round before came to; "" where none
// was made.
func anewWords(x *schemas.Anew) string {
	if x == nil {
		return ""
	}
	words := fmt.Sprintf(" Every round is declared to be drawn anew: a wager on the arm of the unit's round before came to %s, and %s convicts (H17)", wagered(x.LogE), short(1/x.Level))
	switch {
	case x.Rejected:
		words += fmt.Sprintf(": %s %%, by what is said at the check.", opt(x.Deviation, short))
	case x.Least == nil:
		words += "; no deviation would be found."
	default:
		words += fmt.Sprintf("; found in about three of four logs is a deviation of %s %% of the propensity.", short(*x.Least))
	}
	if !x.Deficits {
		words += " An arm that is played again too seldom is not looked for."
	}
	return words
}
