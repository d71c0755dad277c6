package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// splits adds what check H17 held the allocation against, in a table beside the
// checks.
func (s *study) splits(b *builder) {
	x := s.x.Data.Splits
	if x == nil || len(x.Looked) == 0 {
		return
	}
	at := s.pointer("data", "splits")
	t := table{
		Caption: "What the allocation was held against (H17)",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Rounds split by"},
			{Title: "Smallest deviation that is found", Note: "in about three of four logs, on one side, in per cent of the propensity", Numeric: true},
			{Title: "Found at all", Note: "pairs of side and arm", Numeric: true},
		},
	}
	for i := range x.Looked {
		split, here := &x.Looked[i], item(sub(at, "looked"), i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(split.Name),
			number(splitDeviation(split), sub(here, "least")),
			number(fmt.Sprintf("%d of %d", split.Found, split.Pairs), sub(here, "found")),
		}})
	}
	b.add(t)
	b.note(splitWords(x))
}

// splitDeviation is one number, or two where they differ.
func splitDeviation(s *schemas.Split) string {
	if s.Least == nil || s.Most == nil {
		return "none"
	}
	if least, most := short(*s.Least), short(*s.Most); least != most {
		return least + " to " + most
	}
	return short(*s.Least)
}

// splitWords say what the wagers came to, and what was left out.
func splitWords(x *schemas.Splits) string {
	words := []string{fmt.Sprintf("%s are averaged; the largest average is %s, and %s convicts.",
		schemas.Counted(x.Accounts, "wager"), wagered(x.LogE), short(1/x.Level))}
	if w := x.Worst; w != nil && x.Round != nil {
		what := "Σ 1/p over its pulls against these rounds"
		if w.Deficit {
			what = "its pulls against Σ p"
		}
		words = append(words, fmt.Sprintf("It was reached by round %s. The largest single wager is on arm %s in rounds %s: %s %% (%s).",
			schemas.Grouped(*x.Round), schemas.Named(w.Arm), w.Side, opt(w.Deviation, short), what))
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
	return short(math.Exp(logE))
}
