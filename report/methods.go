package report

import (
	"banditaudit/schemas"
)

// methodTable is one row per test and method.
func (s *study) methodTable(at string) table {
	t := table{
		Caption: "Tests by method",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Test"},
			{Title: "Method"},
			{Title: "Statistic", Note: "degrees of freedom below it", Numeric: true},
			numeric("p"), numeric("Adjusted p"), numeric("Interval"),
			numeric("σ"), numeric("Bits"), numeric("β"),
			{Title: "Valid for"},
			{Title: "Remark"},
		},
	}
	for i := range s.x.Tests {
		if i == maxTests {
			break
		}
		test := &s.x.Tests[i]
		for j := range test.Results {
			if factsOf(test.Results[j].Method).request {
				continue // these stand apart
			}
			here := item(sub(item(at, i), "results"), j)
			t.Rows = append(t.Rows, methodRow(test, &test.Results[j], here))
		}
	}
	return t
}

func methodRow(t *schemas.Test, r *schemas.TestResult, at string) row {
	name := txt(methodName(r.Method))
	if factsOf(r.Method).fixed {
		name.below(fixedNote)
	}
	if r.Correction != "" {
		name.below(r.Correction)
	}
	return row{Pointer: at, Cells: []cell{
		txt(testName(t)),
		name,
		below(number(opt(r.Statistic, sig), sub(at, "statistic")), opt(r.DF, short)),
		resultP(r, at),
		number(pvalue(r.PAdjusted, nil), sub(at, "p_adjusted")),
		number(interval(r.CI), sub(at, "ci")),
		number(ext(r.Sigma, sig), sub(at, "sigma")),
		number(opt(r.Bits, sig), sub(at, "bits")),
		number(opt(r.Beta, sig), sub(at, "beta")),
		scopeOf(r),
		txt(remark(r)),
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
func scopeOf(r *schemas.TestResult) cell {
	c := txt(validFor(r.ValidFor))
	if r.Conditional {
		c.below("given the actions")
	}
	return c
}

func validFor(word string) string {
	switch word {
	case "fixed-arm":
		return "an arm named in advance"
	case "selected-arm":
		return "an arm chosen from the actions"
	case "any-time":
		return "any arm, at any time"
	}
	return word
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

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
			case !factsOf(r.Method).request:
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
	blocks := []block{noted("These were asked for by analysis.correction.also. They rest on our own proof, internally reviewed; they hold on average over the actions, not given them; they are loose. No decision is taken on them, and none of them enters a smallest p. Where one does not apply, the reason stands above."), t}
	if rows > maxTests {
		blocks = append(blocks, noted("The other "+group(int64(rows-maxTests))+" lines are in tables/tests.parquet."))
	}
	b.add(fold{Title: "On request: own proof, internally reviewed; averaged over the actions; loose", Open: true, Blocks: blocks})
}

func requestedRow(t *schemas.Test, r *schemas.TestResult, at string) row {
	name := txt(methodName(r.Method))
	if r.Correction != "" {
		name.below(r.Correction)
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
