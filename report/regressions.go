package report

import (
	"fmt"

	"banditaudit/schemas"
)

const (
	maxFits     = 40   // coefficient tables in one experiment
	openFits    = 6    // of these are unfolded
	largeNumber = 1000 // condition number from which a note is due
)

// regressions adds the fits: one line each, then their coefficients.
func (s *study) regressions(b *builder) {
	at := s.pointer("regressions")
	b.heading(s.level, "Regressions: descriptive, not in the family", at)
	if len(s.x.Regressions) == 0 {
		if len(s.plan.Analysis.Regressions) == 0 {
			b.say("No regression was asked for.")
		} else {
			b.say("None of the regressions that were asked for could be fitted; the warnings say why.")
		}
		return
	}
	b.say("Least-squares fits. They are not among the declared tests. Standard errors, p-values and intervals are " + fixedNote + ".")
	if s.dependent() {
		b.note("No standard errors and nothing made of them: they take rounds as independent, and a unit of this log has several.")
	}
	if s.missing() > 0 {
		b.note("Rounds whose reward is missing are in no fit.")
	}
	b.add(fitTable(s.x.Regressions, at))
	if s.illConditioned() {
		b.note("A condition number above 1,000 says that columns are nearly linear combinations of each other, or of very different size; single coefficients are then unstable.")
	}
	for i := range s.x.Regressions {
		if i == maxFits {
			b.note("The coefficients of the other " + group(int64(len(s.x.Regressions)-maxFits)) + " fits are in tables/regressions.parquet.")
			return
		}
		f := &s.x.Regressions[i]
		blocks := []block{coefficientTable(f, item(at, i), s.plan.level(), s.ofMechanism())}
		if len(f.Dropped) > 0 {
			blocks = append(blocks, para{Spans: plainText("Dropped as linear combinations of earlier columns: " + labels(f.Dropped) + "."), Class: "note"})
		}
		b.add(fold{Title: "Coefficients: " + fitName(f), Open: len(s.x.Regressions) <= openFits, Blocks: blocks})
	}
}

func (s *study) illConditioned() bool {
	for i := range s.x.Regressions {
		if c := s.x.Regressions[i].ConditionNumber; c != nil && *c > largeNumber {
			return true
		}
	}
	return false
}

func fitName(f *schemas.Regression) string {
	if f.Arm < 0 {
		return label(f.Name) + ", all arms"
	}
	return label(f.Name) + ", arm " + label(f.Label)
}

func fitTable(fits []schemas.Regression, at string) table {
	t := table{
		Caption: "Fits",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Fit"},
			numeric("n"),
			{Title: "Covariance"},
			numeric("Rank"), numeric("Condition number"),
			{Title: "Dropped columns"},
			numeric("Residual df"), numeric("R²"), numeric("Adjusted R²"),
			{Title: "F", Note: "of all slopes, classical errors", Numeric: true},
			{Title: "p of F", Note: fixedNote, Numeric: true, Quiet: true},
			numeric("σ²"),
		},
	}
	for i := range fits {
		f, here := &fits[i], item(at, i)
		dropped := txt(droppedShort(f.Dropped))
		if f.Rank < len(f.Columns) {
			dropped = flagged(dropped, "RANK DEFICIENT")
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(fitName(f)),
			number(group(f.N), sub(here, "n")),
			txt(f.Covariance),
			number(fmt.Sprintf("%d of %d", f.Rank, len(f.Columns)), sub(here, "rank")),
			number(opt(f.ConditionNumber, sig), sub(here, "condition_number")),
			dropped,
			number(group(f.DFResidual), sub(here, "df_residual")),
			number(opt(f.RSquared, sig), sub(here, "r_squared")),
			number(opt(f.AdjRSquared, sig), sub(here, "adj_r_squared")),
			number(opt(f.FStatistic, sig), sub(here, "f_statistic")),
			number(pvalue(f.FP, nil), sub(here, "f_p")),
			number(opt(f.Sigma2, sig), sub(here, "sigma2")),
		}})
	}
	return t
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

// coefficientTable shows the corrected columns only where one has a value.
func coefficientTable(f *schemas.Regression, at, level, qualifier string) table {
	corrected := false
	for i := range f.Coefficients {
		c := &f.Coefficients[i]
		corrected = corrected || c.BiasBound != nil || c.PCorrected != nil || c.CICorrected != nil
	}
	t := table{
		Caption: "Covariance " + label(f.Covariance) + ", n = " + group(f.N),
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
			column{Title: "Corrected p", Note: qualifier, Numeric: true},
			column{Title: "Corrected interval", Note: qualifier, Numeric: true})
	}
	for i := range f.Coefficients {
		t.Rows = append(t.Rows, coefficientRow(&f.Coefficients[i], item(t.Pointer, i), corrected))
	}
	return t
}

func coefficientRow(c *schemas.Coefficient, at string, corrected bool) row {
	out := row{Pointer: at, Cells: []cell{
		txt(label(c.Name)),
		number(opt(c.Estimate, sig), sub(at, "estimate")),
		number(opt(c.StdError, sig), sub(at, "std_error")),
		number(opt(c.Statistic, sig), sub(at, "statistic")),
		number(pvalue(c.P, c.Log2P), sub(at, "p")),
		number(interval(c.CI), sub(at, "ci")),
	}}
	if corrected {
		out.Cells = append(out.Cells,
			number(opt(c.BiasBound, up), sub(at, "bias_bound")),
			number(pvalue(c.PCorrected, nil), sub(at, "p_corrected")),
			number(interval(c.CICorrected), sub(at, "ci_corrected")))
	}
	return out
}
