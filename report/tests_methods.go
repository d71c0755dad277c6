package report

import (
	"cmp"
	"slices"
	"strings"

	"banditaudit/report/page"
	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// byMethod adds what each method is valid for, then p and interval of each test by each.
func (s *experimentView) byMethod(b *page.Builder, at string) {
	tests := s.x.Tests[:min(len(s.x.Tests), maxTests)]
	var methods []string
	var scopes, remarks, assumed page.Gathered
	for i := range tests {
		for j := range tests[i].Results {
			r := &tests[i].Results[j]
			if sources.FactsOf(r.Method).Request || !r.Applicable {
				continue // these stand apart, or above with their reason
			}
			if !slices.Contains(methods, r.Method) {
				methods = append(methods, r.Method)
			}
			scopes.Once(strings.Join(scopeOf(r), "; "), r.Method)
			remarks.Once(r.Reason, r.Method)
		}
		if len(tests[i].Assumptions) > 0 {
			assumed.Once(assumptionRange(tests[i].Assumptions), page.Label(tests[i].ID))
		}
	}
	if len(methods) == 0 {
		return
	}
	about := page.Table{Caption: "Methods", RowHead: true, Columns: []page.Column{{Title: "Method"}, {Title: "Valid for"}}}
	for _, name := range methods {
		c := page.Text(strings.Join(saidOf(&scopes, name), "; or "))
		for _, why := range saidOf(&remarks, name) {
			c.Below(why)
		}
		about.Rows.Add("", page.Text(sources.MethodName(name)), c)
	}
	blocks := []page.Block{about}
	for _, what := range assumed.Texts {
		of := page.First(assumed.Names[what], 12, ", ")
		if len(assumed.Names[what]) == len(tests) {
			of = "every test"
		}
		blocks = append(blocks, page.NotePara("Corrected p of "+of+": under "+what+", see Assumptions."))
	}
	p := s.methodTable("p by method", "p", methods, at, resultP)
	ci := s.methodTable(s.protocol.Level()+" interval by method", "ci", methods, at, func(r *schemas.TestResult, here string) page.Cell {
		return page.Number(page.Interval(r.CI), page.Member(here, "ci"))
	})
	blocks = append(blocks, p, ci, page.NotePara("σ, bits and β of each correction are in tables/tests.parquet."))
	b.Add(page.Fold{Title: "Every method", Blocks: blocks})
}

// saidOf are the texts that were gathered of a method.
func saidOf(said *page.Gathered, name string) []string {
	return slices.DeleteFunc(slices.Clone(said.Texts), func(text string) bool {
		return text == "" || !slices.Contains(said.Names[text], name)
	})
}

// methodTable is a row per test, and in it a number of each method.
func (s *experimentView) methodTable(
	caption, member string, methods []string, at string, cell func(*schemas.TestResult, string) page.Cell,
) page.Table {
	t := page.Table{Caption: caption, Pointer: at, RowHead: true, Columns: []page.Column{{Title: "Test"}}}
	for _, name := range methods {
		head := page.Numeric(sources.MethodName(name))
		head.Quiet = sources.FactsOf(name).Fixed
		switch {
		case head.Quiet:
			head.Note = fixedShort
		case name == schemas.MethodCorrected && member == "p":
			head.Note = s.headlineNote()
		}
		t.Columns = append(t.Columns, head)
	}
	for i := range min(len(s.x.Tests), maxTests) {
		test, here := &s.x.Tests[i], page.Element(at, i)
		cells := []page.Cell{page.Text(testName(test))}
		for _, name := range methods {
			c := page.Text("")
			if j, r := method(test, name); r != nil {
				c = cell(r, page.Element(page.Member(here, "results"), j))
			}
			cells = append(cells, c)
		}
		t.Rows.Add("", cells...)
	}
	return t
}

// remark is the reason of an answer; why there is none stands above, once.
func remark(r *schemas.TestResult) string {
	if !r.Applicable && r.Reason != "" {
		return "see above"
	}
	return r.Reason
}

// scopeOf says for what an answer is valid, whether it is given the actions, and by what.
func scopeOf(r *schemas.TestResult) []string {
	out := []string{validFor(r.ValidFor)}
	if sources.FactsOf(r.Method).Fixed {
		out = append(out, fixedNote)
	}
	if r.Conditional {
		out = append(out, "given the actions")
	}
	if r.Correction != "" {
		out = append(out, r.Correction)
	}
	return out
}

func validFor(word string) string {
	return cmp.Or(map[string]string{
		"fixed-arm":    "an arm named in advance",
		"selected-arm": "an arm chosen from the actions",
		"any-time":     "any arm, at any time",
	}[word], word)
}

// requested adds the forms that a report shows only where the protocol asks for
// them, apart from the others: they hold in another sense.
func (s *experimentView) requested(b *page.Builder, at string) {
	t := page.Table{
		Caption: "Forms on request",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Test"},
			{Title: "Form"},
			{Title: "p", Note: "averaged over the actions", Numeric: true},
			page.Numeric("Interval"), page.Numeric("Bits"), page.Numeric("β"),
			{Title: "Remark"},
		},
	}
	rows, without := 0, 0
	for i := range s.x.Tests {
		test := &s.x.Tests[i]
		for j := range test.Results {
			r := &test.Results[j]
			switch {
			case !sources.FactsOf(r.Method).Request:
				continue
			case !r.Applicable:
				without++
				continue
			}
			if rows++; rows <= maxTests {
				t.Rows = append(t.Rows, requestedRow(test, r, page.Element(page.Member(page.Element(at, i), "results"), j)))
			}
		}
	}
	if rows == 0 {
		if without > 0 {
			b.Note("Of the forms that analysis.correction.also asks for none applies; the reasons stand above.")
		}
		return
	}
	blocks := []page.Block{page.NotePara("These were asked for by analysis.correction.also. They rest on our own proof, internally reviewed; they hold on average over the actions, not given them; they are loose. No decision is taken on them, and none of them enters a smallest p. Where one does not apply, the reason stands above."), t}
	if rows > maxTests {
		blocks = append(blocks, page.NotePara("The other "+page.Group(int64(rows-maxTests))+" lines are in tables/tests.parquet."))
	}
	b.Add(page.Fold{Title: "On request: own proof, internally reviewed; averaged over the actions; loose", Open: true, Blocks: blocks})
}

func requestedRow(t *schemas.Test, r *schemas.TestResult, at string) page.Row {
	name := page.Text(sources.MethodName(r.Method))
	if r.Correction != "" {
		name.Below(r.Correction)
	}
	return page.Row{Pointer: at, Cells: []page.Cell{
		page.Text(testName(t)),
		name,
		resultP(r, at),
		page.Number(page.Interval(r.CI), page.Member(at, "ci")),
		page.Number(page.Opt(r.Bits, page.Sig), page.Member(at, "bits")),
		page.Number(page.Opt(r.Beta, page.Sig), page.Member(at, "beta")),
		page.Text(remark(r)),
	}}
}

// method returns a test's result by a method, and its index.
func method(t *schemas.Test, name string) (int, *schemas.TestResult) {
	i := slices.IndexFunc(t.Results, func(r schemas.TestResult) bool { return r.Method == name })
	if i < 0 {
		return i, nil
	}
	return i, &t.Results[i]
}

func resultP(r *schemas.TestResult, at string) page.Cell {
	if !r.Applicable {
		return page.Cell{Spans: []page.Span{page.Badge(string(schemas.NotApplicable))}, Pointer: at}
	}
	c := page.Number(page.PValue(r.P, r.Log2P), page.Member(at, "p"))
	if r.Vacuous || r.P != nil && *r.P >= 1 && !sources.FactsOf(r.Method).Own {
		c = page.Flagged(c, "VACUOUS")
	}
	if r.Approximate {
		c.Below("approximate")
	}
	return c
}
