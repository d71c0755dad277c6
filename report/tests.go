package report

import (
	"math"
	"strconv"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// tests adds the declared tests: corrected answers first, raw ones small.
func (s *experimentView) tests(b *page.Builder) {
	at := s.pointer("tests")
	b.Heading(s.level, "Hypothesis tests", at)
	b.Opening("What do the data decide of what was asked?", answers.Tests(s.x.Tests))
	s.verdict(b, schemas.KindHypothesis)
	if len(s.x.Tests) == 0 {
		return
	}
	b.Say(s.protocol.LevelSentence() + " " + oneDecides + s.corrected())
	if text := noDecision(s.x.Tests); text != "" {
		b.Note(text)
	}
	b.Add(s.testTable(at))
	if !s.alone() {
		s.intervalNotes(b)
	}
	if len(s.x.Tests) > maxTests {
		b.Note("The other " + page.Group(int64(len(s.x.Tests)-maxTests)) + " tests are in tables/tests.parquet.")
	}
	s.rawTests(b)
	s.comparisons(b)
	s.choices(b)
	if lines := reasons(s.x.Tests); len(lines) > 0 {
		b.Add(page.StrongList("Where an answer is NOT APPLICABLE, and why:", lines)...)
	}
	s.byMethod(b, at)
	s.requested(b, at)
}

// decided adds what the declared tests decide, in short.
func (s *experimentView) decided(b *page.Builder) {
	if len(s.x.Tests) == 0 {
		return
	}
	b.Heading(2, "Declared tests", "tests")
	b.Opening("What do the data decide of what was asked?", answers.Tests(s.x.Tests), digest.TestWords)
	b.Say(s.protocol.LevelShort())
	at := s.pointer("tests")
	t := page.Table{Caption: "What the tests decide", Pointer: at, RowHead: true, Stacked: true, Named: true, Columns: []page.Column{
		{Title: "Test"},
		{Title: "Hypothesis"},
		page.Numeric("Estimate"),
		{Title: s.protocol.Level() + " interval", Numeric: true},
		{Title: "Adjusted p", Note: s.protocol.UnadjustedNote(), Numeric: true},
		{Title: "Decision", Note: "and by what"},
	}}
	for i := range s.x.Tests[:min(len(s.x.Tests), maxTests)] {
		here := page.Element(at, i)
		t.Rows = append(t.Rows, s.briefRow(&s.x.Tests[i], here))
	}
	b.Add(t)
	s.intervalNotes(b)
	s.figure(b, figure.Effects, "")
}

// alone reports whether the front page has the decisions of this experiment.
func (s *experimentView) alone() bool { return s.results.Count() == 1 }

// briefRow is a test by the method that decides it.
func (s *experimentView) briefRow(t *schemas.Test, at string) page.Row {
	_, adjusted, within := s.decidingCells(t, at)
	decision := decisionCell(t, at)
	if t.DecidedBy != "" {
		decision.Below(sources.MethodName(t.DecidedBy))
	}
	return page.Row{Cells: []page.Cell{
		page.Text(page.Label(t.ID)), hypothesisCell(t), page.Number(page.Opt(t.Estimate, page.Sig), page.Member(at, "estimate")),
		within, adjusted, decision,
	}}
}

// oneAlone stands below an interval that excludes what is not rejected.
const oneAlone = "unadjusted"

// intervalNotes say below the decisions what the notes in their intervals mean.
func (s *experimentView) intervalNotes(b *page.Builder) {
	if anyOf(s.x.Tests, func(t *schemas.Test) bool { return t.ExcludesKept() }) {
		b.Note("An interval is for one test alone; the decision is adjusted for the number of tests. An unadjusted interval can " +
			"exclude a value that is not rejected.")
	}
	if text := s.relativeNote(); text != "" {
		b.Say(text)
	}
}

// oneDecides stands above the table of tests.
const oneDecides = "One method decides each test: the one that the protocol names (analysis.decide), or the first that applies in " +
	"a fixed order. Taking the smallest p afterwards does not hold the level."

// corrected names the corrections by which the headline is.
func (s *experimentView) corrected() string {
	names := corrections(s.x.Tests)
	if len(names) == 0 {
		return ""
	}
	return " Correction: " + strings.Join(names, "; or ") + "."
}

// corrections are the corrections of the headline, once each.
func corrections(tests []schemas.Test) []string {
	return page.Distinct(tests, func(t *schemas.Test) string {
		if r := t.Result(schemas.MethodCorrected); r != nil && r.Applicable {
			return strings.TrimRight(page.Visible(r.Correction), ".")
		}
		return ""
	})
}

// noDecision says that none of the tests is decided; empty where one is.
func noDecision(tests []schemas.Test) string {
	if anyOf(tests, func(t *schemas.Test) bool { return t.DecidedBy != "" }) {
		return ""
	}
	return "None of these tests is decided: no method applies to any. The reasons are listed below."
}

// testTable is a line per test. What the front page has of it stands there alone.
func (s *experimentView) testTable(at string) page.Table {
	t := page.Table{Caption: "Declared tests", Pointer: at, RowHead: true, Stacked: true, Named: true}
	if s.alone() {
		t.Caption = "Declared tests: p of the method that decides, before adjustment"
	}
	tests := s.x.Tests[:min(len(s.x.Tests), maxTests)]
	return page.PartTable(t, tests, func(*schemas.Test) bool { return true }, s.testColumns())
}

// testColumns are the columns of the table of tests.
func (s *experimentView) testColumns() []page.PartColumn[schemas.Test] {
	type column = page.PartColumn[schemas.Test]
	deciding := func(which int) func(*schemas.Test, string) page.Cell {
		return func(t *schemas.Test, at string) page.Cell {
			p, adjusted, within := s.decidingCells(t, at)
			return []page.Cell{p, adjusted, within}[which]
		}
	}
	out := []column{
		{Head: page.Column{Title: "Test", Note: "and how its arm was selected"}, Cell: func(t *schemas.Test, _ string) page.Cell {
			return page.Cell{Spans: append([]page.Span{{Text: page.Label(t.ID), Style: page.StyleStrong}}, subject(t)...)}
		}},
		{Head: page.Numeric("n"), Cell: s.rowsCell},
		{
			Head: page.Column{Title: "Statistic", Note: "degrees of freedom below it", Numeric: true}, Cell: statisticCell,
			Has: func(t *schemas.Test) bool {
				_, r := method(t, schemas.MethodNaive)
				return r != nil && r.Statistic != nil
			},
		},
		{Head: page.Column{Title: "p", Note: "and its method", Numeric: true}, Cell: deciding(0)},
	}
	if s.alone() {
		return out
	}
	return append(out,
		column{Head: page.Column{Title: "Hypothesis"}, Cell: func(t *schemas.Test, _ string) page.Cell { return hypothesisCell(t) }},
		column{Head: page.Numeric("Estimate"), Cell: func(t *schemas.Test, at string) page.Cell {
			return page.Number(page.Opt(t.Estimate, page.Sig), page.Member(at, "estimate"))
		}},
		column{Head: page.Column{Title: "Decision"}, Cell: decisionCell},
		column{Head: page.Column{Title: "Adjusted p", Note: s.protocol.UnadjustedNote(), Numeric: true}, Cell: deciding(1)},
		column{Head: page.Column{Title: s.protocol.Level() + " interval", Numeric: true}, Cell: deciding(2)},
	)
}

// rowsCell is how many rows a test reads, and of how many units.
func (s *experimentView) rowsCell(t *schemas.Test, at string) page.Cell {
	n := page.Number(page.Group(t.N), page.Member(at, "n"))
	if t.Units != nil {
		n.Below("of " + s.independent(t))
	}
	return n
}

// statisticCell is the statistic of the raw test.
func statisticCell(t *schemas.Test, at string) page.Cell {
	i, r := method(t, schemas.MethodNaive)
	if r == nil {
		return page.Text("")
	}
	here := page.Element(page.Member(at, "results"), i)
	return page.BelowNumber(page.Number(page.Opt(r.Statistic, page.Sig), page.Member(here, "statistic")), page.Opt(r.DF, page.Short))
}

// headlineNote stands below the title of the corrected p.
func (s *experimentView) headlineNote() string {
	return qualified(s.ofMechanism(), s.protocol.Averaged())
}

// decidingCells are p, adjusted p and interval of the method that decides.
func (s *experimentView) decidingCells(t *schemas.Test, at string) (p, adjusted, within page.Cell) {
	none := page.Cell{Spans: page.Plain(page.Dash)}
	i, r := method(t, t.DecidedBy)
	if r == nil {
		return none, none, none
	}
	here := page.Element(page.Member(at, "results"), i)
	p = resultP(r, here)
	p.Below("by " + sources.MethodName(r.Method))
	if text := t.ValidIf(); text != "" {
		p.Below(text)
	}
	within = none
	if r.CI != nil {
		within = page.Number(page.Interval(r.CI), page.Member(here, "ci"))
	}
	if why := t.HoldsRejected(); why != "" {
		within.Below("holds the value: " + why)
	}
	if t.ExcludesKept() {
		within.Below(oneAlone)
	}
	if text := s.inPerCent(t); text != "" {
		within.Below(text)
	}
	return p, page.Number(page.PValue(r.PAdjusted, nil), page.Member(here, "p_adjusted")), within
}

// hypothesisCell is the hypothesis, small below it the side that a one-sided
// test is of.
func hypothesisCell(t *schemas.Test) page.Cell {
	c := page.Text(t.Hypothesis)
	if t.Alternative == schemas.Greater || t.Alternative == schemas.Less {
		c.Below("one-sided: " + t.Alternative)
	}
	return c
}

// independent counts what a test takes as independent: units, or the batches
// that its fit is clustered by.
func (s *experimentView) independent(t *schemas.Test) string {
	if s.protocol.Clusters(t.Regression) == schemas.ClusterBatch {
		return schemas.Plural(int(*t.Units), "batch", "batches")
	}
	return schemas.Counted(int(*t.Units), "unit")
}

// decisionCell is the decision alone: a verdict is about a claim, and that no
// test contradicted a rejection would read as its opposite here.
func decisionCell(t *schemas.Test, at string) page.Cell {
	if t.Verdict == schemas.NotApplicable {
		return page.Cell{Spans: []page.Span{page.Badge(string(t.Verdict))}, Pointer: page.Member(at, "decision")}
	}
	return page.Cell{Spans: []page.Span{page.Badge(page.OrDash(t.Decision))}, Pointer: page.Member(at, "decision")}
}

// assumptionRange writes A1, A2, A3 as A1–A3 when nothing is left out.
func assumptionRange(ids []string) string {
	if len(ids) == 8 && ids[0] == "A1" && ids[7] == "A8" {
		return "A1–A8"
	}
	return strings.Join(ids, ", ")
}

// inPart is the interval of a difference as parts of what the second arm pays: for a
// difference in [l, u] and a mean in [c, d] with c > 0 the quotients lie in
//
//	[min(l/c, l/d), max(u/c, u/d)]
//
// Both intervals hold together with a chance of at least 1 − α − α/K, for the mean's
// interval holds for K arms together; where the difference is over other rounds than those
// that played the arms, the mean is the weighted one, and its interval approximate. ok is
// false where the test is no difference, no interval goes with its decision, or the mean is
// not known to lie above 0.
func (s *experimentView) inPart(t *schemas.Test) (lo, hi float64, ok bool) {
	_, r := method(t, t.DecidedBy)
	if t.Kind != schemas.TestDifference || r == nil || r.CI == nil {
		return 0, 0, false
	}
	of := s.pays(t)
	if of == nil || !(of[0] > 0) {
		return 0, 0, false
	}
	lo, hi = min(r.CI[0]/of[0], r.CI[0]/of[1]), max(r.CI[1]/of[0], r.CI[1]/of[1])
	return lo, hi, !math.IsInf(lo, 0) && !math.IsInf(hi, 0)
}

// pays is the interval of the mean of a difference's second arm, over the rounds that the
// difference is about; nil where there is none.
func (s *experimentView) pays(t *schemas.Test) *schemas.Interval {
	if t.Over == "" {
		for i := range s.x.Arms {
			if a := &s.x.Arms[i]; a.Label == t.Against {
				return a.ConfidenceSequence
			}
		}
		return nil
	}
	for i := range s.x.Estimates {
		e := &s.x.Estimates[i]
		if e.Estimator == schemas.EstimatorAIPW && e.Arm != nil && e.Label == t.Against && e.Against == "" && e.EvaluationPolicy == "" {
			return e.CI
		}
	}
	return nil
}

// inPerCent writes the parts below an interval; "" where there are none.
func (s *experimentView) inPerCent(t *schemas.Test) string {
	lo, hi, ok := s.inPart(t)
	if !ok {
		return ""
	}
	text := perCent(lo) + " to " + perCent(hi) + " % of " + page.Label(t.Against)
	if t.Over != "" {
		text += ", approximately"
	}
	return text
}

// perCent is a part as per cent, with its sign.
func perCent(part float64) string {
	if part > 0 {
		return "+" + page.Short(100*part)
	}
	return page.Short(100 * part)
}

// relativeNote says below the tests what per cent are of; "" where none stand there.
func (s *experimentView) relativeNote() string {
	for i := range min(len(s.x.Tests), maxTests) {
		if s.inPerCent(&s.x.Tests[i]) != "" {
			chance := 1 - float64(s.protocol.Analysis.Alpha*(1+1/float64(len(s.x.Arms))))
			return "Per cent of an arm are of its own mean over its rounds: the interval of the difference, divided by the interval of that arm for all arms together, where that lies above 0. Both hold together with a chance of at least " + strconv.FormatFloat(math.Floor(1000*chance)/1000, 'g', 3, 64) + "."
		}
	}
	return ""
}
