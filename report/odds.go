package report

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// odds says how often the likelier arm of a round was played, beside the checks.
func (s *study) odds(b *builder) {
	x := s.x.Data.Odds
	if x == nil || x.Overall.Rounds == 0 {
		return
	}
	words := "The likelier arm of a round: " + oddsWords(&x.Overall)
	if x.Near != nil && x.Near.Rounds > 0 {
		words += "; of rounds that give it 0.8 or more, " + oddsWords(x.Near)
	}
	words += fmt.Sprintf(". A wager on it came to %s, and %s convicts (H17)", wagered(x.LogE), short(1/x.Level))
	if !x.Rejected {
		none := func(x *float64) string {
			if x == nil {
				return "none"
			}
			return short(*x) + " %"
		}
		words += fmt.Sprintf("; found in about three of four logs is a deviation of %s of its propensity (it is played too often), and of %s of that of the others (it is played too seldom)", none(x.LeastOften), none(x.LeastSeldom))
	}
	b.note(words + ".")
}

func oddsWords(x *schemas.OddsRounds) string {
	return fmt.Sprintf("it was played in %s of %s, where its propensities give %s (off by %s %%)",
		schemas.Grouped(x.Likelier), schemas.Counted(x.Rounds, "round"), schemas.Grouped(int64(math.Round(x.Expected))), opt(x.Deviation, short))
}
