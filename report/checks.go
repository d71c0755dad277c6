package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/report/answers"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// checks adds the data checks.
func (s *experimentView) checks(b *page.Builder) {
	at := s.pointer("data", "checks")
	b.Heading(s.level, "Data checks", at)
	b.Opening("Is the log whole and in order, and were arms played as often as it says?", answers.Checks(s.x.Data.Checks))
	s.verdict(b, schemas.KindDataQuality)
	s.verdict(b, schemas.KindAllocation)
	if len(s.x.Data.Checks) == 0 {
		return
	}
	t := page.Table{
		Caption: "Data checks",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Check"},
			{Title: "Status"},
			{Title: "Observed"},
			{Title: "Expected"},
			{Title: "p", Note: "statistic below it", Numeric: true},
		},
	}
	var left page.Gathered
	for i := range s.x.Data.Checks {
		c, here := &s.x.Data.Checks[i], page.Element(at, i)
		if c.Status == schemas.CheckNotRun && c.Observed == "" {
			left.Add(page.OrDash(c.Detail), page.Label(c.ID)+" ("+c.Title+")")
			continue
		}
		observed := page.Text(c.Observed)
		if c.Detail != "" {
			observed.Below(c.Detail)
		}
		p := page.Number(page.PValue(c.P, nil), page.Member(here, "p"))
		if c.Statistic != nil {
			p.Below(page.Opt(c.Statistic, page.Sig))
		}
		t.Rows.Add(here,
			page.Cell{Spans: []page.Span{{Text: page.Label(c.ID), Style: page.StyleStrong}, {Text: " " + c.Title}}},
			page.Cell{Spans: []page.Span{page.Badge(string(c.Status))}, Pointer: page.Member(here, "status")},
			observed,
			page.Text(c.Expected),
			p,
		)
	}
	b.Add(t)
	for _, why := range left.Texts {
		b.Note("Not run: " + strings.Join(left.Names[why], ", ") + ". " + page.Sentence(page.Capital(why)))
	}
	s.splits(b)
	hashed(b, s.x.Data.Hashed)
	repeats(b, s.x.Data.Repeats)
	odds(b, s.x.Data.Odds)
	addHypotheses(b, "What would explain that the allocation contradicts the logged propensities", s.x.Allocation, s.pointer("allocation"))
}

// odds says how often the likelier arm of a round was played, beside the checks.
func odds(b *page.Builder, x *schemas.Odds) {
	if x == nil || x.Overall.Rounds == 0 {
		return
	}
	words := "The likelier arm of a round: " + oddsWords(&x.Overall)
	if x.Near != nil && x.Near.Rounds > 0 {
		words += "; of rounds that give it 0.8 or more, " + oddsWords(x.Near)
	}
	words += fmt.Sprintf(". A wager on it came to %s, and %s convicts (H17)", wagered(x.LogE), page.Short(1/x.Level))
	if !x.Rejected {
		none := func(x *float64) string {
			if x == nil {
				return "none"
			}
			return page.Short(*x) + " %"
		}
		words += fmt.Sprintf("; found in about three of four logs is a deviation of %s of its propensity (it is played too often), and of %s of that of the others (it is played too seldom)", none(x.LeastOften), none(x.LeastSeldom))
	}
	b.Note(words + ".")
}

func oddsWords(x *schemas.OddsRounds) string {
	return fmt.Sprintf("it was played in %s of %s, where its propensities give %s (off by %s %%)",
		schemas.Grouped(x.Likelier), schemas.Counted(x.Rounds, "round"), schemas.Grouped(int64(math.Round(x.Expected))),
		page.Opt(x.Deviation, page.Short))
}

// repeats says what the later rounds of units show of repeated arms, beside the
// checks.
func repeats(b *page.Builder, x *schemas.Repeats) {
	if x == nil {
		return
	}
	words := fmt.Sprintf("Units that come again: in %s of %s the arm is that of the unit's round before", schemas.Grouped(x.Same), schemas.Counted(x.Later, "later round"))
	if x.Expected != nil {
		words += fmt.Sprintf("; by the logged propensities %s would be, were every round drawn by itself", schemas.Grouped(int64(math.Round(*x.Expected))))
	}
	b.Note(words + "." + keptWords(x.Kept) + anewWords(x.Anew))
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
	words := fmt.Sprintf(" Every round is declared to be drawn anew: a wager on the arm of the unit's round before came to %s, and %s convicts (H17)", wagered(x.LogE), page.Short(1/x.Level))
	switch {
	case x.Rejected:
		words += fmt.Sprintf(": %s %%, by what is said at the check.", page.Opt(x.Deviation, page.Short))
	case x.Least == nil:
		words += "; no deviation would be found."
	default:
		words += fmt.Sprintf("; found in about three of four logs is a deviation of %s %% of the propensity.", page.Short(*x.Least))
	}
	if !x.Deficits {
		words += " An arm that is played again too seldom is not looked for."
	}
	return words
}

// splits adds what check H17 held the allocation against, in a table beside the
// checks.
func (s *experimentView) splits(b *page.Builder) {
	x := s.x.Data.Splits
	if x == nil || len(x.Looked) == 0 {
		return
	}
	at := s.pointer("data", "splits")
	t := page.Table{
		Caption: "What the allocation was held against (H17)",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Rounds split by"},
			{Title: "Smallest deviation that is found", Note: "in about three of four logs, on one side, in per cent of the propensity", Numeric: true},
			{Title: "Found at all", Note: "pairs of side and arm", Numeric: true},
		},
	}
	t.Rows = page.RowsOf(x.Looked, page.Member(at, "looked"), func(split *schemas.Split, here string) []page.Cell {
		return []page.Cell{
			page.Text(split.Name),
			page.Number(splitDeviation(split), page.Member(here, "least")),
			page.Number(fmt.Sprintf("%d of %d", split.Found, split.Pairs), page.Member(here, "found")),
		}
	})
	b.Add(t)
	b.Note(splitWords(x))
}

// splitDeviation is one number, or two where they differ.
func splitDeviation(s *schemas.Split) string {
	if s.Least == nil || s.Most == nil {
		return "none"
	}
	if least, most := page.Short(*s.Least), page.Short(*s.Most); least != most {
		return least + " to " + most
	}
	return page.Short(*s.Least)
}

// splitWords say what the wagers came to, and what was left out.
func splitWords(x *schemas.Splits) string {
	words := []string{fmt.Sprintf("%s are averaged; the largest average is %s, and %s convicts.",
		schemas.Counted(x.Accounts, "wager"), wagered(x.LogE), page.Short(1/x.Level))}
	if w := x.Worst; w != nil && x.Round != nil {
		of := schemas.Played{Arm: w.Arm, Among: w.Side, Rounds: w.Rounds, Plays: w.Plays, Expected: w.Expected}
		what := "Σ 1/p over its plays against these rounds"
		if w.Deficit {
			what = "its plays against Σ p at the lower ends of its decimals"
		}
		told := "arm " + schemas.Named(w.Arm) + " in rounds " + w.Side
		if w.Plays > 0 {
			told = of.Words()
		}
		words = append(words, fmt.Sprintf("It was reached by round %s. The largest single wager: %s. What it was won on: %s %% (%s).",
			schemas.Grouped(*x.Round), told, page.Opt(w.Deviation, page.Short), what))
	}
	if len(x.Cells) > 0 {
		words = append(words, "Beside these, cells are wagered on one by one, with a wager for each cell that learns from its own rounds; of them no smallest deviation is known: "+strings.Join(x.Cells, "; ")+".")
	}
	if !x.Deficits {
		words = append(words, "Wagers are on arms being played too often: an arm that was played too seldom shows in those played in its stead.")
	}
	if left := x.All - int64(len(x.Looked)); left > 0 {
		const most = 8
		listed := strings.Join(x.LeftOut[:min(len(x.LeftOut), most)], ", ")
		if left > most {
			listed += fmt.Sprintf(" and %s more", schemas.Grouped(left-most))
		}
		words = append(words, fmt.Sprintf("Left out, since %d beside tails and the arms' own pulls are the most that are looked at: %s.", sides(x), listed))
	}
	return strings.Join(append(words, "A dependence on anything else, or a smaller one, was not looked for."), " ")
}

// sides is how many splits are neither tails nor tides.
func sides(x *schemas.Splits) (n int) {
	for i := range x.Looked {
		if x.Looked[i].Kind == schemas.SplitSide {
			n++
		}
	}
	return n
}

// wagered is what a wager has become, by its natural logarithm.
func wagered(logE float64) string {
	const largest = 688 // ln of about 1e299
	if logE > largest {
		return "above 1e298"
	}
	return page.Short(bitexact.Exp(logE))
}

// hashed says which rows play the arm of the hash of their unit, beside the checks.
func hashed(b *page.Builder, x *schemas.Hashed) {
	switch {
	case x == nil:
		return
	case x.Weights == "":
		b.Note("Arms by the hash of the unit's key (" + x.Hash + "): the weights of all arms are not known, and no row was looked at.")
		return
	}
	of := "the logged propensities of all arms"
	if x.Weights == schemas.WeightsPolicy {
		of = "the declared policy's weights"
	}
	words := fmt.Sprintf("Arms by the hash of the unit's key (%s, %s positions, coverage %s) and %s: %s of %s play the arm of their hash",
		x.Hash, schemas.Grouped(x.Positions), page.Short(x.Coverage), of, schemas.Grouped(x.Matched), schemas.Counted(x.Rows, "row"))
	if x.Within > 0 {
		words += fmt.Sprintf("; %s more do if a weight is off by %.3g, within its decimals", schemas.Grouped(x.Within), x.Window)
	}
	if n := x.Contradicted(); n > 0 {
		words += fmt.Sprintf("; %s do not, %s of them at a position that no range holds", schemas.Grouped(n), schemas.Grouped(x.Outside))
	}
	if x.Unlike > 0 {
		words += fmt.Sprintf("; in %s the logged propensity is not the policy's", schemas.Grouped(x.Unlike))
	}
	b.Note(words + ".")
}
