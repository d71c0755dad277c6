package report

import (
	"banditaudit/schemas"
)

// coefficientTable shows the corrected columns only where one has a value.
func (s *fits) coefficientTable(f *schemas.Regression, at string) table {
	corrected, level, qualifier := false, s.protocol.level(), s.ofMechanism()
	for i := range f.Coefficients {
		c := &f.Coefficients[i]
		corrected = corrected || c.BiasBound != nil || c.PCorrected != nil || c.CICorrected != nil
	}
	t := table{
		Caption: "Covariance " + s.covariance(f) + ", n = " + group(f.N),
		Pointer: sub(at, "coefficients"),
		RowHead: true,
		Columns: []column{
			{Title: "Coefficient"},
			numeric("Estimate"), numeric("SE"), numeric("Statistic"),
			{Title: "p", Note: fixedNote, Numeric: true, Quiet: true},
			{Title: level + " interval", Note: fixedNote, Numeric: true, Quiet: true},
		},
	}
	if corrected {
		t.Columns = append(t.Columns,
			column{Title: "Bias bound", Note: qualifier, Numeric: true},
			column{Title: "Corrected p", Note: qualified(qualifier, "of the value 0", "approximate", s.protocol.averaged()), Numeric: true},
			column{Title: "Corrected interval", Note: qualified(qualifier, "approximate", s.protocol.averaged()), Numeric: true})
	}
	for i := range f.Coefficients {
		if i == maxCoefficients {
			break
		}
		t.Rows = append(t.Rows, s.coefficientRow(&f.Coefficients[i], item(t.Pointer, i), corrected))
	}
	return t
}

func (s *fits) coefficientRow(c *schemas.Coefficient, at string, corrected bool) row {
	out := row{Pointer: at, Cells: []cell{
		txt(label(c.Name)),
		number(opt(c.Estimate, sig), sub(at, "estimate")),
		number(opt(c.StdError, sig), sub(at, "std_error")),
		number(opt(c.Statistic, sig), sub(at, "statistic")),
		number(pvalue(c.P, c.Log2P), sub(at, "p")),
		number(interval(c.CI), sub(at, "ci")),
	}}
	if corrected {
		p := number(pvalue(c.PCorrected, c.Log2PCorrected), sub(at, "p_corrected"))
		ci := number(interval(c.CICorrected), sub(at, "ci_corrected"))
		if c.PCorrected != nil && *c.PCorrected >= 1 {
			p = flagged(p, "VACUOUS")
			if s.wide(c.CICorrected) {
				ci = flagged(ci, "VACUOUS")
			}
		}
		out.Cells = append(out.Cells,
			number(opt(c.BiasBound, up), sub(at, "bias_bound")), p, ci)
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
func (s *fits) predictions(b *builder, at string) {
	bounded := func(f *schemas.Regression) bool { return f.BiasRMS != nil || f.BiasWorst != nil || f.BiasPaper != nil }
	if !anyFit(s.x.Regressions, bounded) {
		return
	}
	paper := anyFit(s.x.Regressions, func(f *schemas.Regression) bool { return f.BiasPaper != nil })
	t := table{
		Caption: "Bias of predictions, given the actions, in units of the reward",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Fit"},
			{Title: "Root mean square, at most", Note: qualified(s.ofMechanism(), "over the rows of the fit"), Numeric: true},
			{Title: "Any one prediction, at most", Note: qualified(s.ofMechanism(), "at a logged context"), Numeric: true},
			{Title: "How"},
			numeric("Distinct contexts"),
			{Title: "σ", Note: "of the correction by σ", Numeric: true},
		},
	}
	if paper {
		t.Columns = append(t.Columns, column{Title: "Published bound", Note: "does not hold for the largest bias", Numeric: true, Quiet: true})
	}
	for i := range s.x.Regressions {
		if f := &s.x.Regressions[i]; bounded(f) {
			t.Rows = append(t.Rows, s.predictionRow(f, item(at, i), paper))
		}
	}
	b.add(t)
	if paper {
		b.note("The published contextual bound, (hi−lo)·(e^ε−1), does not hold for the largest bias of a prediction: there are logs on which a prediction is further off. What it says of the root mean square is true where rows are independent, and the first column says it more sharply.")
	}
}

func (s *fits) predictionRow(f *schemas.Regression, here string, paper bool) row {
	out := row{Cells: []cell{
		txt(fitName(f)),
		s.bias(f.BiasRMS, sub(here, "bias_rms")),
		s.bias(f.BiasWorst, sub(here, "bias_worst")),
		txt(f.BiasWorstForm),
		number(count(f.Contexts), sub(here, "contexts")),
		number(ext(f.Sigma, sig), sub(here, "sigma")),
	}}
	if paper {
		out.Cells = append(out.Cells, s.bias(f.BiasPaper, sub(here, "bias_paper")))
	}
	return out
}

// bias is a bound on a bias, flagged where it is wider than the range of the
// reward.
func (s *fits) bias(bound *float64, at string) cell {
	c := number(opt(bound, up), at)
	if r := s.protocol.Reward.Range; bound != nil && len(r) == 2 && *bound >= r[1]-r[0] {
		return flagged(c, "VACUOUS")
	}
	return c
}
