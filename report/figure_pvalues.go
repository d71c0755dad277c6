package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

// maxPRows is how many tests are drawn.
const maxPRows = 40

func naiveStroke() stroke { return stroke{color: black(), glyph: draw.RingGlyph{}, size: 2.6} }
func answerStroke() stroke {
	return stroke{color: blue(), glyph: draw.BoxGlyph{}, size: 2.8}
}

func paperStroke() stroke {
	return stroke{color: vermilion(), glyph: draw.PyramidGlyph{}, size: 2.8}
}

func linkStroke() stroke { return stroke{color: grey(), width: 0.6} }

func levelStroke() stroke {
	return stroke{color: grey(), width: 0.9, dashes: []vg.Length{4, 2}}
}

// pFigure draws naive against corrected p on a log scale.
func pFigure(x *schemas.Experiment, p *protocol) *drawing {
	level := -math.Log10(p.Analysis.Alpha)
	r := &rowChart{
		title: "Naive and corrected p",
		axis:  "p, log scale; to the right: smaller",
		lanes: 1,
		rules: []rule{{at: level, stroke: levelStroke()}},
		keys: []key{
			{text: "naive p (" + fixedNote + ")", stroke: naiveStroke()},
			{text: "corrected p", stroke: answerStroke()},
			{text: "the published route (Theorem 20)", stroke: paperStroke()},
			{text: "p = " + p.alpha(), stroke: levelStroke(), vertical: true},
		},
		max:    1.5 * level,
		ticker: pTicks{},
	}
	pairs := 0
	for i := range x.Tests {
		if len(r.labels) == maxPRows {
			break
		}
		if marks, both := pMarks(&x.Tests[i], len(r.labels)); len(marks) > 0 {
			r.labels = append(r.labels, cut(testName(&x.Tests[i]), maxFigure))
			r.marks = append(r.marks, marks...)
			if both {
				pairs++
			}
		}
	}
	if pairs == 0 {
		return nil
	}
	for _, m := range r.marks {
		if !math.IsNaN(m.at) {
			r.max = max(r.max, m.at*1.03)
		}
	}
	r.min = -r.max / 60
	if r.max > linearP {
		r.axis, r.scale, r.min = "p, far values drawn closer (square root of −log10 p); to the right: smaller", rootScale{}, -0.01
	}
	return &drawing{kind: figureP, name: "pvalues", title: r.title, caption: pCaption(x, p, len(r.labels)), draw: r.draw}
}

// pMarks are the p-values of one test, joined by a line; both reports whether
// naive and corrected p are there.
func pMarks(t *schemas.Test, row int) (marks []mark, both bool) {
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
		marks = append(marks, mark{row: row, at: math.NaN(), lo: min(naive, answer), hi: max(naive, answer), stroke: linkStroke()})
	}
	for _, m := range []mark{
		{at: paper, stroke: paperStroke()}, {at: answer, stroke: answerStroke()}, {at: naive, stroke: naiveStroke()},
	} {
		m.row, m.lo, m.hi = row, math.NaN(), math.NaN()
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
