package report

import (
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// coefficients adds the coefficients of all fits in one table, the corrected columns only
// where one has a value.
func (s *fits) coefficients(b *page.Builder, at string) {
	level, qualifier := s.protocol.Level(), s.ofMechanism()
	shown := s.x.Regressions[:min(len(s.x.Regressions), maxFits)]
	corrected := correctedFits(shown)
	t := page.Table{
		Caption: "Coefficients",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Coefficient"},
			page.Numeric("Estimate"), page.Numeric("SE"), page.Numeric("Statistic"),
			{Title: "p", Note: fixedShort, Numeric: true, Quiet: true},
			{Title: level + " interval", Note: fixedShort, Numeric: true, Quiet: true},
		},
	}
	if corrected {
		t.Columns = append(t.Columns,
			page.Column{Title: "Bias bound", Note: qualifier, Numeric: true},
			page.Column{Title: "Corrected p", Note: qualified(qualifier, "approximate", s.protocol.Averaged()), Numeric: true},
			page.Column{Title: "Corrected interval", Note: qualified(qualifier, "approximate", s.protocol.Averaged()), Numeric: true})
	}
	var notes []page.Block
	for i := range shown {
		f := &shown[i]
		head := make([]page.Cell, len(t.Columns))
		head[0] = page.Cell{Spans: []page.Span{{Text: fitName(f), Style: page.StyleStrong}}}
		t.Rows.Add("", head...)
		here := page.Member(page.Element(at, i), "coefficients")
		for j := range min(len(f.Coefficients), maxCoefficients) {
			t.Rows = append(t.Rows, s.coefficientRow(&f.Coefficients[j], page.Element(here, j), corrected))
		}
		if more := len(f.Coefficients) - maxCoefficients; more > 0 {
			notes = append(notes, page.NotePara("The other "+page.Group(int64(more))+" coefficients of "+fitName(f)+" are in "+
				"tables/regressions.parquet."))
		}
		if len(f.Dropped) > 0 {
			notes = append(notes, page.NotePara("Dropped of "+fitName(f)+" as linear combinations of earlier columns: "+
				""+page.LabelList(f.Dropped)+"."))
		}
	}
	if more := len(s.x.Regressions) - maxFits; more > 0 {
		notes = append(notes, page.NotePara("The coefficients of the other "+page.Group(int64(more))+" fits are in "+
			"tables/regressions.parquet."))
	}
	b.Add(page.Fold{Title: "Coefficients of each fit", Open: len(shown) <= openFits, Blocks: append([]page.Block{t}, notes...)})
}

func (s *fits) coefficientRow(c *schemas.Coefficient, at string, corrected bool) page.Row {
	out := page.Row{Pointer: at, Cells: []page.Cell{
		page.Text(page.Label(c.Name)),
		page.Number(page.Opt(c.Estimate, page.Sig), page.Member(at, "estimate")),
		page.Number(page.Opt(c.StdError, page.Sig), page.Member(at, "std_error")),
		page.Number(page.Opt(c.Statistic, page.Sig), page.Member(at, "statistic")),
		page.Number(page.PValue(c.P, c.Log2P), page.Member(at, "p")),
		page.Number(page.Interval(c.CI), page.Member(at, "ci")),
	}}
	if corrected {
		p := page.Number(page.PValue(c.PCorrected, c.Log2PCorrected), page.Member(at, "p_corrected"))
		ci := page.Number(page.Interval(c.CICorrected), page.Member(at, "ci_corrected"))
		if c.PCorrected != nil && *c.PCorrected >= 1 {
			p = page.Flagged(p, "VACUOUS")
			if s.wide(c.CICorrected) {
				ci = page.Flagged(ci, "VACUOUS")
			}
		}
		out.Cells = append(out.Cells,
			page.Number(page.Opt(c.BiasBound, page.Up), page.Member(at, "bias_bound")), p, ci)
	}
	return out
}

// wide reports whether an interval is at least as wide as the declared range of
// the reward. A coefficient has no range of its own; beside a corrected p of 1
// this is where its interval stops being of use, as the interval of a mean does.
func (s *fits) wide(ci *schemas.Interval) bool {
	r := s.protocol.Reward.Range
	return ci != nil && len(r) == 2 && ci[1]-ci[0] >= r[1]-r[0]
}

// predictions adds the bounds on the bias of what a fit predicts, with the
// published one beside them.
func (s *fits) predictions(b *page.Builder, at string) {
	bounded := func(f *schemas.Regression) bool { return f.BiasRMS != nil || f.BiasWorst != nil || f.BiasPaper != nil }
	if !anyOf(s.x.Regressions, bounded) {
		return
	}
	how := page.Distinct(s.x.Regressions, func(f *schemas.Regression) string { return f.BiasWorstForm })
	paper := anyOf(s.x.Regressions, func(f *schemas.Regression) bool { return f.BiasPaper != nil })
	t := page.Table{
		Caption: "Bias of predictions, given the actions, in units of the reward",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Fit"},
			{Title: "Root mean square, at most", Note: s.ofMechanism(), Numeric: true},
			{Title: "Any one prediction, at most", Note: qualified(s.ofMechanism(), "at a logged context"), Numeric: true},
			page.Numeric("Distinct contexts"),
			page.Numeric("σ"),
		},
	}
	if len(how) > 1 {
		t.Columns = append(t.Columns, page.Column{Title: "How the largest is bounded"})
	}
	if paper {
		t.Columns = append(t.Columns, page.Column{Title: "Published bound", Note: "does not hold for the largest bias", Numeric: true, Quiet: true})
	}
	for i := range s.x.Regressions {
		if f := &s.x.Regressions[i]; bounded(f) {
			t.Rows = append(t.Rows, s.predictionRow(f, page.Element(at, i), len(how) > 1, paper))
		}
	}
	b.Add(t)
	if len(how) == 1 {
		b.Note("The largest bias of any one prediction: " + page.Sentence(how[0]))
	}
	if paper {
		b.Note("The published bound, (hi−lo)·(e^ε−1), does not hold for the largest bias of a prediction: some logs exceed it. Of " +
			"the root mean square it is true where rows are independent; the first column is sharper.")
	}
}

func (s *fits) predictionRow(f *schemas.Regression, here string, how, paper bool) page.Row {
	out := page.Row{Cells: []page.Cell{
		page.Text(fitName(f)),
		s.bias(f.BiasRMS, page.Member(here, "bias_rms")),
		s.bias(f.BiasWorst, page.Member(here, "bias_worst")),
		page.Number(page.Count(f.Contexts), page.Member(here, "contexts")),
		page.Number(page.Ext(f.Sigma, page.Sig), page.Member(here, "sigma")),
	}}
	if how {
		out.Cells = append(out.Cells, page.Text(f.BiasWorstForm))
	}
	if paper {
		out.Cells = append(out.Cells, s.bias(f.BiasPaper, page.Member(here, "bias_paper")))
	}
	return out
}

// bias is a bound on a bias, flagged where it is wider than the range of the
// reward.
func (s *fits) bias(bound *float64, at string) page.Cell {
	c := page.Number(page.Opt(bound, page.Up), at)
	if r := s.protocol.Reward.Range; bound != nil && len(r) == 2 && *bound >= r[1]-r[0] {
		return page.Flagged(c, "VACUOUS")
	}
	return c
}

// maxCoefficients is how many lines a table of coefficients has.
const maxCoefficients = 200

// fits are the declared regressions of an experiment, as their section shows them.
type fits struct{ *experimentView }

func fitName(f *schemas.Regression) string {
	if f.Arm < 0 {
		return page.Label(f.Name) + ", all arms"
	}
	return page.Label(f.Name) + ", arm " + page.Label(f.Label)
}

// covariance names the errors of a fit, and by what they are clustered.
func (s *fits) covariance(f *schemas.Regression) string {
	if by := s.protocol.Clusters(f.Name); f.Clusters != nil && by != "" {
		return page.Label(f.Covariance) + " by " + by
	}
	return page.Label(f.Covariance)
}
