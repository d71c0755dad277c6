package report

import "banditaudit/schemas"

// requested adds the forms that a report shows only where the protocol asks for
// them, apart from the others: they hold in another sense.
func (s *study) requested(b *builder, at string) {
	t := table{
		Caption: "Forms on request",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Test"},
			{Title: "Form"},
			{Title: "p", Note: "averaged over the actions", Numeric: true},
			numeric("Interval"), numeric("Bits"), numeric("β"),
			{Title: "Remark"},
		},
	}
	rows, without := 0, 0
	for i := range s.x.Tests {
		test := &s.x.Tests[i]
		for j := range test.Results {
			r := &test.Results[j]
			switch {
			case !onRequest(r.Method):
				continue
			case !r.Applicable:
				without++
				continue
			}
			if rows++; rows <= maxTests {
				t.Rows = append(t.Rows, requestedRow(test, r, item(sub(item(at, i), "results"), j)))
			}
		}
	}
	if rows == 0 {
		if without > 0 {
			b.note("Of the forms that analysis.correction.also asks for none applies; the reasons stand above.")
		}
		return
	}
	blocks := []block{para{Spans: plainText("These were asked for by analysis.correction.also. They rest on our own proof, internally reviewed; they hold on average over the actions, not given them; they are loose. No decision is taken on them, and none of them enters a smallest p. Where one does not apply, the reason stands above."), Class: "note"}, t}
	if rows > maxTests {
		blocks = append(blocks, para{Spans: plainText("The other " + group(int64(rows-maxTests)) + " lines are in tables/tests.parquet."), Class: "note"})
	}
	b.add(fold{Title: "On request: own proof, internally reviewed; averaged over the actions; loose", Open: true, Blocks: blocks})
}

func requestedRow(t *schemas.Test, r *schemas.TestResult, at string) row {
	name := txt(methodName(r.Method))
	if r.Correction != "" {
		name.Spans = append(name.Spans, span{Text: r.Correction, Style: styleSmall, Break: true})
	}
	return row{Pointer: at, Cells: []cell{
		txt(testName(t)),
		name,
		resultP(r, at),
		number(interval(r.CI), sub(at, "ci")),
		number(opt(r.Bits, sig), sub(at, "bits")),
		number(opt(r.Beta, sig), sub(at, "beta")),
		txt(remark(r)),
	}}
}
