package report

import (
	"cmp"
	"slices"

	"banditaudit/report/page"
	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// methodTable is one row per test and method.
func (s *experimentView) methodTable(at string) page.Table {
	t := page.Table{
		Caption: "Tests by method",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Test"},
			{Title: "Method"},
			{Title: "Statistic", Note: "degrees of freedom below it", Numeric: true},
			page.Numeric("p"), page.Numeric("Adjusted p"), page.Numeric("Interval"),
			page.Numeric("σ"), page.Numeric("Bits"), page.Numeric("β"),
			{Title: "Valid for"},
			{Title: "Remark"},
		},
	}
	for i := range min(len(s.x.Tests), maxTests) {
		test := &s.x.Tests[i]
		for j := range test.Results {
			if sources.FactsOf(test.Results[j].Method).Request {
				continue // these stand apart
			}
			here := page.Element(page.Member(page.Element(at, i), "results"), j)
			t.Rows = append(t.Rows, methodRow(test, &test.Results[j], here))
		}
	}
	return t
}

func methodRow(t *schemas.Test, r *schemas.TestResult, at string) page.Row {
	name := page.Text(sources.MethodName(r.Method))
	if sources.FactsOf(r.Method).Fixed {
		name.Below(fixedNote)
	}
	if r.Correction != "" {
		name.Below(r.Correction)
	}
	return page.Row{Pointer: at, Cells: []page.Cell{
		page.Text(testName(t)),
		name,
		page.BelowNumber(page.Number(page.Opt(r.Statistic, page.Sig), page.Member(at, "statistic")), page.Opt(r.DF, page.Short)),
		resultP(r, at),
		page.Number(page.PValue(r.PAdjusted, nil), page.Member(at, "p_adjusted")),
		page.Number(page.Interval(r.CI), page.Member(at, "ci")),
		page.Number(page.Ext(r.Sigma, page.Sig), page.Member(at, "sigma")),
		page.Number(page.Opt(r.Bits, page.Sig), page.Member(at, "bits")),
		page.Number(page.Opt(r.Beta, page.Sig), page.Member(at, "beta")),
		scopeOf(r),
		page.Text(remark(r)),
	}}
}

// remark is the reason of an answer; why there is none stands above, once.
func remark(r *schemas.TestResult) string {
	if !r.Applicable && r.Reason != "" {
		return "see above"
	}
	return r.Reason
}

// scopeOf says for what an answer is valid, and whether it is given the actions.
func scopeOf(r *schemas.TestResult) page.Cell {
	c := page.Text(validFor(r.ValidFor))
	if r.Conditional {
		c.Below("given the actions")
	}
	return c
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

// methodP is the p-value of a method with its flags, or NOT APPLICABLE.
func methodP(t *schemas.Test, at, name string) page.Cell {
	i, r := method(t, name)
	if r == nil {
		return page.Text("")
	}
	return resultP(r, page.Element(page.Member(at, "results"), i))
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
