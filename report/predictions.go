package report

import "banditaudit/schemas"

// predictions adds the bounds on the bias of what a fit predicts, with the
// published one beside them.
func (s *study) predictions(b *builder, at string) {
	bounded := func(f *schemas.Regression) bool { return f.BiasRMS != nil || f.BiasWorst != nil || f.BiasPaper != nil }
	if !s.anyFit(bounded) {
		return
	}
	paper := s.anyFit(func(f *schemas.Regression) bool { return f.BiasPaper != nil })
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

func (s *study) predictionRow(f *schemas.Regression, here string, paper bool) row {
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
func (s *study) bias(bound *float64, at string) cell {
	c := number(opt(bound, up), at)
	if r := s.protocol.Reward.Range; bound != nil && len(r) == 2 && *bound >= r[1]-r[0] {
		return flagged(c, "VACUOUS")
	}
	return c
}
