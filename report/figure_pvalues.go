package report

import (
	"fmt"
	"math"

	"banditaudit/report/chart"
	"banditaudit/schemas"
)

// maxPRows is how many tests are drawn.
const maxPRows = 40

// pFigure draws naive against corrected p on a log scale.
func pFigure(x *schemas.Experiment, p *protocol) *drawing {
	level := -math.Log10(p.Analysis.Alpha)
	r := &chart.Rows{
		Title: "Naive and corrected p",
		Lanes: 1,
		Rules: []chart.Rule{{At: level, Stroke: chart.Level()}},
		Keys: []chart.Key{
			{Text: "naive p (" + fixedNote + ")", Stroke: chart.NaiveP()},
			{Text: "corrected p", Stroke: chart.CorrectedP()},
			{Text: "the published route (Theorem 20)", Stroke: chart.PublishedP()},
			{Text: "p = " + p.alpha(), Stroke: chart.Level(), Vertical: true},
		},
		Number: short,
	}
	pairs := 0
	for i := range x.Tests {
		if len(r.Labels) == maxPRows {
			break
		}
		if marks, both := pMarks(&x.Tests[i], len(r.Labels)); len(marks) > 0 {
			r.Labels = append(r.Labels, cut(testName(&x.Tests[i]), maxFigure))
			r.Marks = append(r.Marks, marks...)
			if both {
				pairs++
			}
		}
	}
	if pairs == 0 {
		return nil
	}
	r.FitP(level)
	return &drawing{kind: figureP, name: "pvalues", title: r.Title, caption: pCaption(x, p, len(r.Labels)), draw: r.Draw}
}

// pMarks are the p-values of one test, joined by a line; both reports whether
// naive and corrected p are there.
func pMarks(t *schemas.Test, row int) (marks []chart.Mark, both bool) {
	value := func(name string) float64 {
		_, r := method(t, name)
		if r == nil || !r.Applicable {
			return math.NaN()
		}
		v, ok := log10p(r.P, r.Log2P)
		if !ok {
			return math.NaN()
		}
		return v
	}
	naive, answer, paper := value(schemas.MethodNaive), value(schemas.MethodCorrected), value(schemas.MethodPaper)
	if math.IsNaN(naive) {
		return nil, false
	}
	both = !math.IsNaN(answer)
	if both {
		marks = append(marks, chart.Mark{Row: row, At: math.NaN(), Lo: min(naive, answer), Hi: max(naive, answer), Stroke: chart.Link()})
	}
	for _, m := range []chart.Mark{
		{At: paper, Stroke: chart.PublishedP()}, {At: answer, Stroke: chart.CorrectedP()}, {At: naive, Stroke: chart.NaiveP()},
	} {
		m.Row, m.Lo, m.Hi = row, math.NaN(), math.NaN()
		marks = append(marks, m)
	}
	return marks, both
}

func pCaption(x *schemas.Experiment, p *protocol, rows int) string {
	s := plural(rows, "declared test", "declared tests")
	if rows < len(x.Tests) {
		s += fmt.Sprintf(" of %d", len(x.Tests))
	}
	s += ", one per line, drawn from log2 p; n as in the table of tests. "
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return s + "Corrected for adaptive choice, not adjusted for testing several: each test holds its own level; a test without a square has no corrected answer. Which p decides is in the table of tests."
	}
	return s + "Corrected for adaptive choice, before adjustment for testing several; a test without a square has no corrected answer. Which p decides, and how it is adjusted, is in the table of tests."
}
