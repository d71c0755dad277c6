package report

import (
	"fmt"

	"banditaudit/report/answers"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	maxFits     = 40   // coefficient tables in one experiment
	openFits    = 6    // of these are unfolded
	largeNumber = 1000 // condition number from which a note is due
)

// regressions adds the fits: one line each, then their coefficients.
func (s *fits) regressions(b *page.Builder) {
	at := s.pointer("regressions")
	b.Heading(s.level, "Regressions: descriptive, not in the family", at)
	b.Opening("How did rewards go together with what was known before the choice?", answers.Fits(len(s.x.Regressions)))
	if len(s.x.Regressions) == 0 {
		if len(s.protocol.Analysis.Regressions) == 0 {
			b.Say("No regression was asked for.")
		} else {
			b.Say("None of the regressions that were asked for could be fitted; the warnings say why.")
		}
		return
	}
	b.Say("Least-squares fits, outside the declared tests and not adjusted for their number. Raw standard errors, p-values and " +
		"intervals are " + fixedNote + ".")
	if correctedFits(s.x.Regressions) {
		b.Say("The bias bound of a coefficient holds given the logged actions. Corrected p and interval account for adaptive " +
			"choice, " + s.protocol.FitsGiven() + ". They are approximate: asymptotic before the correction, which magnifies the " +
			"error in the tail. Declared tests of coefficients are below.")
	}
	if s.withoutErrors() {
		b.Note("A fit without standard errors has nothing made of them either: they would take rounds as independent, and a unit of this log has several. covariance: {cluster: unit} gives errors by unit.")
	}
	if s.x.Data.MissingRewards() > 0 {
		b.Note("Rounds whose reward is missing are in no fit.")
	}
	b.Add(s.fitTable(at))
	if anyOf(s.x.Regressions, func(f *schemas.Regression) bool { return f.Arm < 0 }) {
		b.Note("In a fit over all arms arm[x] is how arm x differs from the control (" + s.protocol.Control() + "), and arm[x]:y how its slope of y does.")
	}
	if illConditioned(s.x.Regressions) {
		b.Note("A condition number above 1,000 says that columns are nearly linear combinations of each other, or of very different size; single coefficients are then unstable.")
	}
	s.predictions(b, at)
	s.coefficients(b, at)
}

func illConditioned(fits []schemas.Regression) bool {
	return anyOf(fits, func(f *schemas.Regression) bool { return f.ConditionNumber != nil && *f.ConditionNumber > largeNumber })
}

func correctedFits(fits []schemas.Regression) bool {
	return anyOf(fits, func(f *schemas.Regression) bool {
		return anyOf(f.Coefficients, func(c *schemas.Coefficient) bool { return c.BiasBound != nil || c.PCorrected != nil })
	})
}

// withoutErrors reports whether a unit is declared and a fit with coefficients
// has no standard error.
func (s *fits) withoutErrors() bool {
	return s.protocol.Log.Unit != "" && anyOf(s.x.Regressions, func(f *schemas.Regression) bool {
		return len(f.Coefficients) > 0 && !anyOf(f.Coefficients, func(c *schemas.Coefficient) bool { return c.StdError != nil })
	})
}

// fitTable is one line per fit.
func (s *fits) fitTable(at string) page.Table {
	t := page.Table{
		Caption: "Fits",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Fit"},
			page.Numeric("n"),
			{Title: "Covariance"},
			page.Numeric("Rank"), page.Numeric("Condition number"), page.Numeric("Largest leverage"),
			{Title: "Dropped columns"},
			{Title: "R²", Note: "adjusted", Numeric: true},
			{Title: "F of all slopes", Note: "df", Numeric: true},
			{Title: "p of F", Note: fixedShort, Numeric: true, Quiet: true},
			{Title: "Residual variance", Note: "df", Numeric: true},
		},
	}
	for i := range s.x.Regressions {
		t.Rows = append(t.Rows, s.fitRow(&s.x.Regressions[i], page.Element(at, i)))
	}
	return t
}

func (s *fits) fitRow(f *schemas.Regression, here string) page.Row {
	dropped := page.Text(droppedShort(f.Dropped))
	if f.Rank < len(f.Columns) {
		dropped = page.Flagged(dropped, "RANK DEFICIENT")
	}
	covariance := page.Text(s.covariance(f))
	if f.Clusters != nil {
		covariance.Below(schemas.Counted(int(*f.Clusters), "cluster"))
	}
	return page.Row{Pointer: here, Cells: []page.Cell{
		page.Text(fitName(f)),
		page.Number(page.Group(f.N), page.Member(here, "n")),
		covariance,
		page.Number(fmt.Sprintf("%d of %d", f.Rank, len(f.Columns)), page.Member(here, "rank")),
		page.Number(page.Opt(f.ConditionNumber, page.Sig), page.Member(here, "condition_number")),
		page.Number(page.Opt(f.MaxLeverage, page.Sig), page.Member(here, "max_leverage")),
		dropped,
		page.BelowNumber(page.Number(page.Opt(f.RSquared, page.Sig), page.Member(here, "r_squared")), page.Opt(f.AdjRSquared, page.Sig)),
		page.BelowNumber(page.Number(page.Opt(f.FStatistic, page.Sig), page.Member(here, "f_statistic")), freedom(f.FDF1, f.FDF2)),
		page.Number(page.PValue(f.FP, f.FLog2P), page.Member(here, "f_p")),
		page.BelowNumber(page.Number(page.Opt(f.Sigma2, page.Sig), page.Member(here, "sigma2")), page.Group(f.DFResidual)),
	}}
}

// freedom writes the degrees of freedom of an F statistic.
func freedom(df1, df2 *float64) string {
	if df1 == nil || df2 == nil {
		return page.Dash
	}
	return page.Short(*df1) + " and " + page.Short(*df2)
}

// droppedShort names dropped columns where they fit into a cell; the note
// below the fit's coefficients names them all.
func droppedShort(names []string) string {
	const wide = 60
	if s := page.LabelList(names); len(s) <= wide {
		return s
	}
	return page.Group(int64(len(names))) + ", named below"
}
