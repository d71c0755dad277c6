package report

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// played is the place of the column of the overview that says when rounds were played.
const played = 2

// overview is one row per experiment.
func overview(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Overview of the experiments", "/experiments")
	order, differ := digest.WorstFirst(r)
	stands, first := "by their claims none fares worse than another", ""
	if differ {
		stands, first = "the worst of these "+page.Group(int64(len(order)))+" stand first", ", the worst first"
	}
	b.Opening("How did each experiment fare?", stands)
	t := page.Table{
		Caption: "One line per experiment" + first,
		Pointer: "/experiments",
		RowHead: true,
		Stacked: true,
		Named:   true,
		Columns: []page.Column{
			{Title: "Experiment"},
			page.Numeric("Rounds"),
			{Title: "Played"},
			page.Numeric("Arms"),
			{Title: "Checks"},
			{Title: "Logged propensities"},
			{Title: "Policy conformance"},
			page.Numeric("ε of the declared mechanism"),
			{Title: "Privacy claim"},
			{Title: "Tests"},
			page.Numeric("Warnings"),
		},
	}
	for _, i := range order {
		t.Rows = append(t.Rows, overviewRow(&experimentView{results: r, x: &r.Experiments[i], base: page.Element("/experiments", i)}))
	}
	if r.Span.First.IsZero() { // no column holds times
		t.Columns = slices.Delete(t.Columns, played, played+1)
		for i := range t.Rows {
			t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, played, played+1)
		}
	}
	b.Add(t)
	for _, note := range r.Notes {
		b.Note("Note: " + note + ".")
	}
	if r.Count() > digest.MaxOverview {
		b.Note("These are the first " + page.Group(digest.MaxOverview) + " experiments of the log; the other " + page.Group(int64(r.Count()-digest.MaxOverview)) + " are in tables/experiments.parquet, and what is contradicted of them stands among the claims.")
	}
}

func overviewRow(s *experimentView) page.Row {
	x, epsilon := s.x, page.Ext(s.x.Privacy.EpsilonMechanism, page.Up)
	var at schemas.TimeSpan
	at.Add(&x.Data)
	if e := x.Privacy.EpsilonMechanism; e != nil && math.IsInf(float64(*e), 1) && x.Privacy.EpsilonClaimed == nil {
		epsilon = page.Dash // nothing is claimed to be private
	}
	if s.notDeclared() {
		epsilon = "did not make this log"
	}
	return page.Row{Cells: []page.Cell{
		{Spans: []page.Span{{Text: page.Label(x.ID), Link: s.base}}},
		page.Number(page.Group(x.Rounds), s.pointer("rounds")),
		page.Number(at.Dates(), s.pointer("data", "first_time")),
		page.Number(page.Group(int64(len(x.Arms))), s.pointer("arms")),
		page.Number(checkCounts(x.Data.Checks), s.pointer("data", "checks")),
		s.verdictCell(schemas.KindAllocation),
		s.verdictCell(schemas.KindConformance),
		page.Number(epsilon, s.pointer("privacy", "epsilon_mechanism")),
		s.verdictCell(schemas.KindPrivacyTotal),
		page.Number(testCounts(x.Tests), s.pointer("tests")),
		page.Number(page.Group(int64(len(x.Warnings))), s.pointer("warnings")),
	}}
}

// checkCounts says how the checks of an experiment came out.
func checkCounts(checks []schemas.Check) string {
	count := map[schemas.CheckStatus]int{}
	for i := range checks {
		count[checks[i].Status]++
	}
	s := fmt.Sprintf("%d failed, ", count[schemas.CheckFail])
	if n := count[schemas.CheckNote]; n > 0 {
		s += fmt.Sprintf("%d noted, ", n)
	}
	if n := count[schemas.CheckNotRun]; n > 0 {
		s += fmt.Sprintf("%d not run, ", n)
	}
	return s + fmt.Sprintf("of %d", len(checks))
}

// testCounts says how the declared tests came out.
func testCounts(tests []schemas.Test) string {
	rejected, kept := 0, 0
	for i := range tests {
		switch tests[i].Decision {
		case schemas.DecisionRejected:
			rejected++
		case schemas.DecisionKept:
			kept++
		}
	}
	all := page.Group(int64(len(tests)))
	switch {
	case len(tests) == 0:
		return "none declared"
	case rejected+kept == 0:
		return "none of " + all + " decided"
	case rejected+kept < len(tests):
		return fmt.Sprintf("%d rejected, %s undecided, of %s", rejected, page.Group(int64(len(tests)-rejected-kept)), all)
	}
	return fmt.Sprintf("%d of %s rejected", rejected, all)
}

// verdictCell is the verdict of the experiment's claim of a kind.
func (s *experimentView) verdictCell(kind string) page.Cell {
	c := s.claim(kind)
	if c == nil {
		return page.Text("")
	}
	return page.Cell{Spans: []page.Span{page.Badge(string(c.Verdict))}}
}

// maxRejections is how many rejections over all experiments are listed.
const maxRejections = 100

// family adds the declared tests of all experiments taken as one family.
func family(b *page.Builder, r *digest.Digest) {
	f := r.Family
	if f == nil {
		return
	}
	b.Heading(2, "All experiments as one family of tests", "/family")
	b.Opening("What do the tests decide when all experiments are taken together?",
		page.Group(f.Rejected)+" of "+schemas.Counted(f.Tests, "test")+" "+schemas.Agree(int(f.Rejected), "rejects its hypothesis", "reject their hypotheses"))
	b.Say(digest.FamilySentence(f.Method))
	t := page.Quantities("One family", "/family")
	t.Rows = []page.Row{
		page.Fact("Adjusted by", digest.Multiplicity(f.Method), "/family/method"),
		page.Fact("Level α", page.Short(f.Alpha), "/family/alpha"),
		page.Fact("Experiments with tests", page.Group(f.Experiments), "/family/experiments"),
		page.Fact("Tests", page.Group(f.Tests), "/family/tests"),
		page.Fact("Of these decided (the others take part as p = 1)", page.Group(f.Decided), "/family/decided"),
		page.Fact("Rejected in this family", page.Group(f.Rejected), "/family/rejected"),
		page.Fact("Rejected in the families of their own experiments", page.Group(f.Alone), "/family/alone"),
	}
	if s := f.Smallest; s != nil {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{
			page.Text("Smallest adjusted p"),
			{Spans: []page.Span{{Text: page.PValue(s.PAdjusted, s.Log2P) + " in "}, {Text: familyName(s), Link: s.Evidence}}, Pointer: "/family/smallest/p_adjusted"},
		}})
	}
	b.Add(t)
	if f.Note != "" {
		b.Note(page.Sentence(f.Note))
	}
	if f.Caution != "" {
		b.Note(page.Sentence(page.OrDash(f.Caution)))
	}
	combined(b, f.Combined)
	if len(f.Rejections) > 0 {
		b.Add(page.Fold{Title: "What is rejected in the family of all experiments", Open: true, Blocks: rejections(f)})
	}
}

// combined adds the tests that combine the p of all experiments.
func combined(b *page.Builder, list []schemas.CombinedTest) {
	if len(list) == 0 {
		return
	}
	t := page.Table{
		Caption: "Combined over experiments", Pointer: "/family/combined", RowHead: true,
		Columns: []page.Column{{Title: "Test"}, page.Numeric("Experiments"), page.Numeric("p, combined")},
	}
	t.Rows = page.RowsOf(list, "/family/combined", func(c *schemas.CombinedTest, at string) []page.Cell {
		return []page.Cell{page.Text(page.Label(c.Test)), page.Number(page.Group(c.Experiments), page.Member(at, "experiments")), page.Number(page.PValue(c.P, c.Log2P), page.Member(at, "p"))}
	})
	b.Add(t)
	b.Note("Fisher's method tests that a hypothesis holds in every experiment. It is valid where experiments are independent, and names no experiment.")
}

func rejections(f *schemas.Family) []page.Block {
	t := page.Table{
		Caption: "Rejected, by adjusted p",
		Pointer: "/family/rejections",
		RowHead: true,
		Columns: []page.Column{{Title: "Experiment"}, {Title: "Test"}, page.Numeric("Adjusted p")},
	}
	t.Rows = page.RowsOf(f.Rejections[:min(len(f.Rejections), maxRejections)], "/family/rejections",
		func(r *schemas.FamilyTest, at string) []page.Cell {
			return []page.Cell{
				page.Text(page.Label(r.Experiment)),
				{Spans: []page.Span{{Text: page.Label(r.Test), Link: r.Evidence}}},
				page.Number(page.PValue(r.PAdjusted, r.Log2P), page.Member(at, "p_adjusted")),
			}
		})
	blocks := []page.Block{t}
	listed := int64(len(t.Rows))
	switch more := f.Rejected - listed; {
	case more > 0 && int64(len(f.Rejections)) < f.Rejected:
		blocks = append(blocks, page.NotePara("Another "+page.Group(more)+" are not listed; tables/family.parquet has the "+page.Group(int64(len(f.Rejections)))+" with the smallest p."))
	case more > 0:
		blocks = append(blocks, page.NotePara("The other "+page.Group(more)+" are in tables/family.parquet."))
	}
	return blocks
}

func familyName(t *schemas.FamilyTest) string {
	return page.Label(t.Experiment) + ", test " + page.Label(t.Test)
}
