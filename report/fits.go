package report

import (
	"fmt"

	"banditaudit/schemas"
)

func fitName(f *schemas.Regression) string {
	if f.Arm < 0 {
		return label(f.Name) + ", all arms"
	}
	return label(f.Name) + ", arm " + label(f.Label)
}

// fitTable is one line per fit.
func (s *study) fitTable(at string) table {
	t := table{
		Caption: "Fits",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Fit"},
			numeric("n"),
			{Title: "Covariance"},
			numeric("Rank"), numeric("Condition number"), numeric("Largest leverage"),
			{Title: "Dropped columns"},
			{Title: "R²", Note: "adjusted below it", Numeric: true},
			{Title: "F of all slopes", Note: "degrees of freedom below it", Numeric: true},
			{Title: "p of F", Note: fixedNote, Numeric: true, Quiet: true},
			{Title: "Residual variance", Note: "degrees of freedom below it", Numeric: true},
		},
	}
	for i := range s.x.Regressions {
		t.Rows = append(t.Rows, s.fitRow(&s.x.Regressions[i], item(at, i)))
	}
	return t
}

func (s *study) fitRow(f *schemas.Regression, here string) row {
	dropped := txt(droppedShort(f.Dropped))
	if f.Rank < len(f.Columns) {
		dropped = flagged(dropped, "RANK DEFICIENT")
	}
	covariance := txt(s.covariance(f))
	if f.Clusters != nil {
		covariance.Spans = append(covariance.Spans, span{Text: plural(int(*f.Clusters), "cluster", "clusters"), Style: styleSmall, Break: true})
	}
	return row{Pointer: here, Cells: []cell{
		txt(fitName(f)),
		number(group(f.N), sub(here, "n")),
		covariance,
		number(fmt.Sprintf("%d of %d", f.Rank, len(f.Columns)), sub(here, "rank")),
		number(opt(f.ConditionNumber, sig), sub(here, "condition_number")),
		number(opt(f.MaxLeverage, sig), sub(here, "max_leverage")),
		dropped,
		below(number(opt(f.RSquared, sig), sub(here, "r_squared")), opt(f.AdjRSquared, sig)),
		below(number(opt(f.FStatistic, sig), sub(here, "f_statistic")), freedom(f.FDF1, f.FDF2)),
		number(pvalue(f.FP, f.FLog2P), sub(here, "f_p")),
		below(number(opt(f.Sigma2, sig), sub(here, "sigma2")), group(f.DFResidual)),
	}}
}

// covariance names the errors of a fit, and by what they are clustered.
func (s *study) covariance(f *schemas.Regression) string {
	if by := s.protocol.clusters(f.Name); f.Clusters != nil && by != "" {
		return label(f.Covariance) + " by " + by
	}
	return label(f.Covariance)
}

// below writes a small text under a number that is there.
func below(c cell, small string) cell {
	if c.Spans[0].Text != dash && small != dash {
		c.Spans = append(c.Spans, span{Text: small, Style: styleSmall, Break: true})
	}
	return c
}

// freedom writes the degrees of freedom of an F statistic.
func freedom(df1, df2 *float64) string {
	if df1 == nil || df2 == nil {
		return dash
	}
	return short(*df1) + " and " + short(*df2)
}

// droppedShort names dropped columns where they fit into a cell; the note
// below the fit's coefficients names them all.
func droppedShort(names []string) string {
	const wide = 60
	if s := labels(names); len(s) <= wide {
		return s
	}
	return group(int64(len(names))) + ", named below"
}
