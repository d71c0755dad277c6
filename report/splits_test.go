package report

import (
	"testing"

	"banditaudit/schemas"
)

// TestSplits: what the allocation was held against stands beside the checks, with
// what would have been found, what was left out, and the largest wager.
func TestSplits(t *testing.T) {
	r := openBandit()
	r.Experiments[0].Data.Splits = &schemas.Splits{
		Looked: []schemas.Split{
			{Name: "the previous action", Kind: schemas.SplitSide, Least: new(21.04), Most: new(33.0), Found: 136, Pairs: 136},
			{Name: "age against its quartiles", Kind: schemas.SplitTails, Least: new(5.0), Most: new(5.0), Found: 2, Pairs: 136},
			{Name: "the first half", Kind: schemas.SplitSide, Pairs: 136},
		},
		Cells: []string{"age by eighths"}, LeftOut: []string{"height against its median", "land = FR"}, All: 5, Accounts: 136, Level: .0005, LogE: 700, Round: new(int64(1234)),
		Worst: &schemas.SplitAccount{Split: "the first half", Side: "of the first half", Arm: "12", LogE: 900, Deviation: new(-31.25), Deficit: true, Rounds: 5000},
	}
	text := markdownOf(t, r)
	contains(t, text, "| the previous action | 21.04 to 33 | 136 of 136 |")
	contains(t, text, "| age against its quartiles | 5 | 2 of 136 |")
	contains(t, text, "| the first half | none | 0 of 136 |")
	contains(t, text, "136 wagers are averaged; the largest average is above 1e298, and 2,000 convicts. It was reached by round 1,234. The largest single wager is on arm 12 in rounds of the first half: -31.25 % (its pulls against Σ p).")
	contains(t, text, "Beside these, cells are wagered on one by one, with a wager for each cell that learns from its own rounds; of them no smallest deviation is known: age by eighths. Wagers are on arms being played too often: an arm that was played too seldom shows in those played in its stead. Left out, since 2 beside tails and the arms' own pulls are the most that are looked at: height against its median, land = FR.")
}
