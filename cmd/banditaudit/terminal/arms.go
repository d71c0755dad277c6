package terminal

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"banditaudit/cmd/kit/layout"
	"banditaudit/schemas"
)

const (
	// armLines are the lines of a table of arms, its head and its end included.
	armLines = 15
	// leastArmLines are the lines that it has at the least.
	leastArmLines = 5
	// maxLabel is how many characters of an arm's label a line has.
	maxLabel = 40
)

// armTable are the arms of an experiment, best first: pulls, mean, the interval that
// holds for all arms together, and what was decided of each. It has at most the given
// number of lines, whatever the number of arms; an arm whose rewards are not known comes
// last. Where arms follow a context, weighted means rank them, and means as played are
// shown as what they are; without weighted means nothing ranks them.
func armTable(w io.Writer, e *schemas.Experiment, lines int) error {
	if len(e.Arms) == 0 {
		return nil
	}
	ranking := schemas.RankArms(e)
	arms, shown := ranking.Arms, len(e.Arms)
	if ranking.Steered {
		lines--
	}
	if shown > lines-1 {
		shown = lines - 2
	}
	decisions := armDecisions(e.Tests)
	t := layout.Columns(w)
	head := "\n" + armHead(&ranking)
	if len(decisions) > 0 {
		head += "\tDECISION"
	}
	fmt.Fprintln(t, head)
	for i, a := range arms[:shown] {
		line := fmt.Sprintf("%s\t%s\t%s\t%s", labelCell(a.Label), schemas.Grouped(a.Pulls), meanCell(a.Mean), endsCell(a.ConfidenceSequence))
		if ranking.Weighted != nil {
			line = fmt.Sprintf("%s\t%s\t%s\t%s", labelCell(a.Label), schemas.Grouped(a.Pulls), meanCell(a.Mean), weightedCells(ranking.Weighted[i]))
		}
		if len(decisions) > 0 {
			line += "\t" + cmp.Or(strings.Join(decisions[a.Arm], ", "), "—")
		}
		fmt.Fprintln(t, line)
	}
	if rest := len(arms) - shown; rest > 0 {
		fmt.Fprintf(t, "… and %s more arms; see the report\n", schemas.Grouped(int64(rest)))
	}
	if err := t.Flush(); err != nil || !ranking.Steered {
		return err
	}
	_, err := fmt.Fprintf(w, "AS PLAYED: over different visitors (arms follow %s); ranks no arm.\n", steeredBy(e.Steering))
	return err
}

// armHead is the head of the columns.
func armHead(r *schemas.Ranking) string {
	switch {
	case !r.Steered:
		return "ARM\tPULLS\tMEAN\tINTERVAL, ALL ARMS TOGETHER"
	case r.Weighted == nil:
		return "ARM\tPULLS\tAS PLAYED\tINTERVAL, ALL ARMS TOGETHER"
	}
	return "ARM\tPULLS\tAS PLAYED\tMEAN (" + strings.ToUpper(estimatorOf(r.Weighted)) + ")\tINTERVAL, APPROXIMATE"
}

// estimatorOf names the estimator of the weighted means; "" where there are none.
func estimatorOf(weighted []*schemas.Estimate) string {
	for _, e := range weighted {
		if e != nil {
			return e.Estimator
		}
	}
	return ""
}

// weightedCells are a weighted mean and its interval; nil of an arm that has none.
func weightedCells(e *schemas.Estimate) string {
	if e == nil {
		return meanCell(nil) + "\t" + endsCell(nil)
	}
	return meanCell(e.Estimate) + "\t" + endsCell(e.CI)
}

// steeredBy is what arms follow.
func steeredBy(s *schemas.Steering) string {
	if s.Context == "" {
		return "the contexts"
	}
	return "context " + labelCell(s.Context)
}

// armDecisions are the decisions of tests that are about one arm, or compare one with
// another, by the arm: "H1 rejected". Those of one arm beyond the third are counted.
func armDecisions(tests []schemas.Test) map[int][]string {
	const most = 3
	out, beyond := map[int][]string{}, map[int]int{}
	for i := range tests {
		t := &tests[i]
		aboutArm := t.Kind == schemas.TestMean || t.Kind == schemas.TestDifference || t.Kind == schemas.TestEqual && t.Arm >= 0
		switch {
		case !aboutArm:
		case len(out[t.Arm]) == most:
			beyond[t.Arm]++
		default:
			out[t.Arm] = append(out[t.Arm], testOfArm(t)+" "+t.Decision)
		}
	}
	for arm, n := range beyond {
		out[arm] = append(out[arm], fmt.Sprintf("%d more", n))
	}
	return out
}

// testOfArm names a test beside an arm: a test of each arm by its id, without the label
// that stands at the beginning of the line, a comparison with the other arm.
func testOfArm(t *schemas.Test) string {
	id := t.ID
	if t.Label != "" {
		id = strings.TrimSuffix(id, "/"+t.Label)
	}
	if t.Against != "" {
		id += " (against " + t.Against + ")"
	}
	return labelCell(id)
}

// labelCell is a label as one cell of a line.
func labelCell(label string) string {
	text := schemas.Named(schemas.Printable(label))
	if r := []rune(text); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return text
}

// meanCell is a mean reward; an arm that was never played has none.
func meanCell(mean *float64) string {
	if mean == nil {
		return "—"
	}
	return fmt.Sprintf("%.4g", *mean)
}
