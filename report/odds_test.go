package report

import (
	"testing"

	"banditaudit/schemas"
)

// TestOdds: how often the likelier arm was played stands beside the checks.
func TestOdds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x    schemas.Odds
		want string
	}{
		{
			schemas.Odds{Overall: schemas.OddsRounds{Rounds: 3000, Likelier: 1600, Expected: 1610.4, Deviation: new(-.65)}, Level: .0001, LeastOften: new(9.5)},
			"The likelier arm of a round: it was played in 1,600 of 3,000 rounds, where its propensities give 1,610 (off by -0.65 %). A wager on it came to 1, and 10,000 convicts (H17); found in about three of four logs is a deviation of 9.5 % of its propensity (it is played too often), and of none of that of the others (it is played too seldom).",
		},
		{
			schemas.Odds{Overall: schemas.OddsRounds{Rounds: 2000, Likelier: 2000, Expected: 1600, Deviation: new(25.)}, Near: &schemas.OddsRounds{Rounds: 10, Likelier: 10, Expected: 8, Deviation: new(25.)}, Level: .0001, LogE: 700, Rejected: true},
			"(off by 25 %); of rounds that give it 0.8 or more, it was played in 10 of 10 rounds, where its propensities give 8 (off by 25 %). A wager on it came to above 1e298, and 10,000 convicts (H17).",
		},
	} {
		r := openBandit()
		r.Experiments[0].Data.Odds = &c.x
		contains(t, markdownOf(t, r), c.want)
	}
}
