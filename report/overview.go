package report

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/schemas"
)

// played is the place of the column of the overview that says when rounds were played.
const played = 2

// overview is one row per experiment.
func overview(b *builder, r *Digest) {
	b.heading(2, "Overview of the experiments", "/experiments")
	order, differ := worstFirst(r)
	stands, first := "by their claims none fares worse than another", ""
	if differ {
		stands, first = "the worst of these "+group(int64(len(order)))+" stand first", ", the worst first"
	}
	b.opening("How did each experiment fare?", stands)
	t := table{
		Caption: "One line per experiment" + first,
		Pointer: "/experiments",
		RowHead: true,
		Stacked: true,
		Named:   true,
		Columns: []column{
			{Title: "Experiment"},
			numeric("Rounds"),
			{Title: "Played"},
			numeric("Arms"),
			{Title: "Checks"},
			{Title: "Logged propensities"},
			{Title: "Policy conformance"},
			numeric("ε of the declared mechanism"),
			{Title: "Privacy claim"},
			{Title: "Tests"},
			numeric("Warnings"),
		},
	}
	for _, i := range order {
		t.Rows = append(t.Rows, overviewRow(&experimentView{results: r, x: &r.Experiments[i], base: item("/experiments", i)}))
	}
	if r.span.First.IsZero() { // no column holds times
		t.Columns = slices.Delete(t.Columns, played, played+1)
		for i := range t.Rows {
			t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, played, played+1)
		}
	}
	b.add(t)
	for _, note := range r.Notes {
		b.note("Note: " + note + ".")
	}
	if r.count > maxOverview {
		b.note("These are the first " + group(maxOverview) + " experiments of the log; the other " + group(int64(r.count-maxOverview)) + " are in tables/experiments.parquet, and what is contradicted of them stands among the claims.")
	}
}

// worstFirst are the places of the experiments that are listed, those with the worst claim
// first, and whether any is worse than another.
func worstFirst(r *Digest) (order []int, differ bool) {
	worst := func(i int) int {
		out := gravity(schemas.NotApplicable)
		for _, c := range r.claimsOf[r.Experiments[i].ID] {
			out = min(out, gravity(r.Claims[c].Verdict), gravity(schemas.Verified))
		}
		return out
	}
	order = make([]int, min(len(r.Experiments), maxOverview))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return worst(i) - worst(j) })
	return order, len(order) > 0 && worst(order[0]) < worst(order[len(order)-1])
}

func overviewRow(s *experimentView) row {
	x, epsilon := s.x, ext(s.x.Privacy.EpsilonMechanism, up)
	var at schemas.TimeSpan
	at.Add(&x.Data)
	if e := x.Privacy.EpsilonMechanism; e != nil && math.IsInf(float64(*e), 1) && x.Privacy.EpsilonClaimed == nil {
		epsilon = dash // nothing is claimed to be private
	}
	if s.notDeclared() {
		epsilon = "did not make this log"
	}
	return row{Cells: []cell{
		{Spans: []span{{Text: label(x.ID), Link: s.base}}},
		number(group(x.Rounds), s.pointer("rounds")),
		number(at.Dates(), s.pointer("data", "first_time")),
		number(group(int64(len(x.Arms))), s.pointer("arms")),
		number(checkCounts(x.Data.Checks), s.pointer("data", "checks")),
		s.verdictCell(schemas.KindAllocation),
		s.verdictCell(schemas.KindConformance),
		number(epsilon, s.pointer("privacy", "epsilon_mechanism")),
		s.verdictCell(schemas.KindPrivacyTotal),
		number(testCounts(x.Tests), s.pointer("tests")),
		number(group(int64(len(x.Warnings))), s.pointer("warnings")),
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
	all := group(int64(len(tests)))
	switch {
	case len(tests) == 0:
		return "none declared"
	case rejected+kept == 0:
		return "none of " + all + " decided"
	case rejected+kept < len(tests):
		return fmt.Sprintf("%d rejected, %s undecided, of %s", rejected, group(int64(len(tests)-rejected-kept)), all)
	}
	return fmt.Sprintf("%d of %s rejected", rejected, all)
}

// verdictCell is the verdict of the experiment's claim of a kind.
func (s *experimentView) verdictCell(kind string) cell {
	c := s.claim(kind)
	if c == nil {
		return txt("")
	}
	return cell{Spans: []span{badge(string(c.Verdict))}}
}

// maxRejections is how many rejections over all experiments are listed.
const maxRejections = 100

// family adds the declared tests of all experiments taken as one family.
func family(b *builder, r *Digest) {
	f := r.Family
	if f == nil {
		return
	}
	b.heading(2, "All experiments as one family of tests", "/family")
	b.opening("What do the tests decide when all experiments are taken together?", group(f.Rejected)+" of "+plural(f.Tests, "test", "tests")+" "+rejects(int(f.Rejected)))
	b.say(familySentence(f.Method))
	t := quantities("One family", "/family")
	t.Rows = []row{
		fact("Adjusted by", multiplicity(f.Method), "/family/method"),
		fact("Level α", short(f.Alpha), "/family/alpha"),
		fact("Experiments with tests", group(f.Experiments), "/family/experiments"),
		fact("Tests", group(f.Tests), "/family/tests"),
		fact("Of these decided (the others take part as p = 1)", group(f.Decided), "/family/decided"),
		fact("Rejected in this family", group(f.Rejected), "/family/rejected"),
		fact("Rejected in the families of their own experiments", group(f.Alone), "/family/alone"),
	}
	if s := f.Smallest; s != nil {
		t.Rows = append(t.Rows, row{Cells: []cell{
			txt("Smallest adjusted p"),
			{Spans: []span{{Text: pvalue(s.PAdjusted, s.Log2P) + " in "}, {Text: familyName(s), Link: s.Evidence}}, Pointer: "/family/smallest/p_adjusted"},
		}})
	}
	b.add(t)
	if f.Note != "" {
		b.note(sentence(f.Note))
	}
	if f.Caution != "" {
		b.note(sentence(words(f.Caution)))
	}
	combined(b, f.Combined)
	if len(f.Rejections) > 0 {
		b.add(fold{Title: "What is rejected in the family of all experiments", Open: true, Blocks: rejections(f)})
	}
}

// combined adds the tests that combine the p of all experiments.
func combined(b *builder, list []schemas.CombinedTest) {
	if len(list) == 0 {
		return
	}
	t := table{
		Caption: "Combined over experiments", Pointer: "/family/combined", RowHead: true,
		Columns: []column{{Title: "Test"}, numeric("Experiments"), numeric("p, combined")},
	}
	t.Rows = rowsOf(list, "/family/combined", func(c *schemas.CombinedTest, at string) []cell {
		return []cell{txt(label(c.Test)), number(group(c.Experiments), sub(at, "experiments")), number(pvalue(c.P, c.Log2P), sub(at, "p"))}
	})
	b.add(t)
	b.note("Fisher's method tests that a hypothesis holds in every experiment. It is valid where experiments are independent, and names no experiment.")
}

func rejections(f *schemas.Family) []block {
	t := table{
		Caption: "Rejected, by adjusted p",
		Pointer: "/family/rejections",
		RowHead: true,
		Columns: []column{{Title: "Experiment"}, {Title: "Test"}, numeric("Adjusted p")},
	}
	t.Rows = rowsOf(f.Rejections[:min(len(f.Rejections), maxRejections)], "/family/rejections", func(r *schemas.FamilyTest, at string) []cell {
		return []cell{
			txt(label(r.Experiment)),
			{Spans: []span{{Text: label(r.Test), Link: r.Evidence}}},
			number(pvalue(r.PAdjusted, r.Log2P), sub(at, "p_adjusted")),
		}
	})
	blocks := []block{t}
	listed := int64(len(t.Rows))
	switch more := f.Rejected - listed; {
	case more > 0 && int64(len(f.Rejections)) < f.Rejected:
		blocks = append(blocks, noted("Another "+group(more)+" are not listed; tables/family.parquet has the "+group(int64(len(f.Rejections)))+" with the smallest p."))
	case more > 0:
		blocks = append(blocks, noted("The other "+group(more)+" are in tables/family.parquet."))
	}
	return blocks
}

func familyName(t *schemas.FamilyTest) string {
	return label(t.Experiment) + ", test " + label(t.Test)
}
