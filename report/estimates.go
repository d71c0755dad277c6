package report

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// estimates adds estimates of declared targets, when there are any.
func (s *experimentView) estimates(b *page.Builder) {
	at := s.pointer("estimates")
	b.Heading(s.level, "Estimates", at)
	b.Opening("What would an arm, or another policy, have paid in all rounds?", answers.Estimates(s.x.Estimates))
	if len(s.x.Estimates) == 0 {
		s.figure(b, figure.Weights, "")
		return
	}
	if s.x.Data.PropensitiesContradicted() {
		b.Note(contradictedNote)
	}
	t := s.estimateTable(at)
	if t.Generated != nil {
		b.Add(t)
		b.Note(weightedNote)
	}
	s.figure(b, figure.Weights, "")
	rests := restsOn(s.x.Estimates)
	for i, text := range rests {
		rests[i] = fmt.Sprintf("(%d) Valid under: %s", i+1, page.Sentence(text))
	}
	if lines := slices.Concat(rests, refused(s.x.Estimates)); len(lines) > 0 {
		b.Add(page.List{Items: page.Items(lines...)})
	}
}

// weightedNote stands below a table of estimates.
const weightedNote = "Intervals are approximate: normal in many rounds, of a number that was fixed in advance, and each for itself. An estimate never lies outside the range of the reward: what the formula gives beyond it stands in brackets. The effective sample size and the largest weight are those of the arm's rewards, of a difference those of the arm with the smaller sample."

// estimateColumns lists the columns of a table of estimates. rests are what estimates are valid
// under.
func (s *experimentView) estimateColumns(rests []string) []page.PartColumn[schemas.Estimate] {
	text := func(of func(e *schemas.Estimate) string) func(e *schemas.Estimate, at string) page.Cell {
		return func(e *schemas.Estimate, _ string) page.Cell { return page.Text(of(e)) }
	}
	under := func(e *schemas.Estimate) string {
		if e.ValidUnder == "" {
			return ""
		}
		return fmt.Sprintf("(%d)", slices.Index(rests, e.ValidUnder)+1)
	}
	return []page.PartColumn[schemas.Estimate]{
		{Head: page.Column{Title: "Target"}, Cell: text(func(e *schemas.Estimate) string { return page.Label(e.Target) })},
		{Head: page.Column{Title: "Estimator"}, Cell: text(func(e *schemas.Estimate) string { return page.Label(e.Estimator) })},
		{
			Head: page.Column{Title: "Evaluated policy"}, Cell: text(func(e *schemas.Estimate) string { return e.EvaluationPolicy }),
			Has: func(e *schemas.Estimate) bool { return e.EvaluationPolicy != "" },
		},
		{Head: page.Numeric("Estimate"), Cell: rawCell},
		{Head: page.Numeric("SE"), Cell: func(e *schemas.Estimate, at string) page.Cell {
			return page.Number(page.Opt(e.StdError, page.Sig), page.Member(at, "std_error"))
		}},
		{Head: page.Numeric(s.protocol.Level() + " interval"), Cell: func(e *schemas.Estimate, at string) page.Cell {
			return page.Number(page.Interval(e.CI), page.Member(at, "ci"))
		}},
		{Head: page.Numeric("Effective sample size"), Cell: func(e *schemas.Estimate, at string) page.Cell {
			return page.Number(page.Opt(e.ESS, page.Sig), page.Member(at, "ess"))
		}},
		{Head: page.Numeric("Largest weight"), Cell: largestCell, Has: func(e *schemas.Estimate) bool { return e.LargestWeight != nil }},
		{Head: page.Numeric("Rounds left out"), Cell: leftOutCell, Has: func(e *schemas.Estimate) bool { return e.LeftOut != nil }},
		{
			Head: page.Column{Title: "At any time"}, Cell: text(func(e *schemas.Estimate) string { return page.YesNo(e.Anytime) }),
			Has: func(e *schemas.Estimate) bool { return e.Anytime },
		},
		{Head: page.Column{Title: "Valid under"}, Cell: text(under)},
		{
			Head: page.Column{Title: "Why there is no interval"}, Cell: text(func(e *schemas.Estimate) string { return e.Reason }),
			Has: func(e *schemas.Estimate) bool { return e.Reason != "" },
		},
	}
}

// estimateTable has the estimates that are given, in the order of the results.
func (s *experimentView) estimateTable(at string) page.Table {
	given := func(e *schemas.Estimate) bool { return e.Estimate != nil || e.Reason == "" }
	return page.PartTable(page.Table{Caption: "Estimates", Pointer: at, RowHead: true}, s.x.Estimates, given,
		s.estimateColumns(restsOn(s.x.Estimates)))
}

// rawCell is an estimate, with what the formula gives where that is outside the range.
func rawCell(e *schemas.Estimate, at string) page.Cell {
	out := page.Number(page.Opt(e.Estimate, page.Sig), page.Member(at, "estimate"))
	if !e.OutsideRange {
		return out
	}
	out.Spans = append(out.Spans, page.Span{Text: " (" + page.Opt(e.RawEstimate, page.Sig) + ")"})
	return page.Flagged(out, "OUTSIDE RANGE")
}

// largestCell is the largest weight of a reward, with its part of all.
func largestCell(e *schemas.Estimate, at string) page.Cell {
	text := page.Opt(e.LargestWeight, page.Sig)
	if e.LargestShare != nil {
		text += fmt.Sprintf(" (%.3g %%)", 100**e.LargestShare)
	}
	return page.Number(text, page.Member(at, "largest_weight"))
}

// leftOutCell is how many rounds are left out, with their part of all.
func leftOutCell(e *schemas.Estimate, at string) page.Cell {
	if e.LeftOut == nil || e.Rounds == nil {
		return page.Text("")
	}
	text := page.Group(*e.LeftOut)
	if *e.LeftOut > 0 {
		text += " (" + page.Share(*e.LeftOut, *e.LeftOut+*e.Rounds) + ")"
	}
	return page.Number(text, page.Member(at, "left_out"))
}

// restsOn is what estimates are valid under, each text once.
func restsOn(estimates []schemas.Estimate) []string {
	return page.Distinct(estimates, func(e *schemas.Estimate) string { return e.ValidUnder })
}

// refused says which estimates are not given; estimates with one reason stand together.
func refused(estimates []schemas.Estimate) []string {
	var why page.Gathered
	for i := range estimates {
		if e := &estimates[i]; e.Estimate == nil && e.Reason != "" {
			why.Add(e.Reason, page.Label(e.Estimator)+" ("+page.Label(e.Target)+")")
		}
	}
	out := make([]string, len(why.Texts))
	for i, reason := range why.Texts {
		out[i] = "NOT APPLICABLE: " + strings.Join(why.Names[reason], ", ") + ": " + page.Sentence(reason)
	}
	return out
}

// disclosures adds what this audit itself read.
func (s *experimentView) disclosures(b *page.Builder) {
	at := s.pointer("disclosures")
	b.Heading(s.level, "Disclosures: what this audit read", at)
	b.Opening("Which rewards did this audit read?", answers.Disclosures(len(s.x.Disclosures)))
	if len(s.x.Disclosures) == 0 {
		return
	}
	text := "What was computed from it stands here without noise."
	if s.protocol.Privacy != nil {
		text = "What was computed from it stands here without noise, outside the privacy budget of the experiment."
	}
	var once []string
	for i := range s.x.Arms {
		if a := &s.x.Arms[i]; a.Pulls == 1 && a.Mean != nil {
			once = append(once, a.Label)
		}
	}
	if len(once) > 0 {
		text += " The mean of an arm that was played once is that one reward: " + page.LabelList(once) + "."
	}
	b.Say(text)
	t := page.Table{
		Caption: "Exact readings",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{{Title: "Purpose"}, page.Numeric("Rows"), {Title: "Columns"}},
	}
	t.Rows = page.RowsOf(s.x.Disclosures, at, func(d *schemas.Disclosure, here string) []page.Cell {
		return []page.Cell{
			page.Text(page.Label(d.Purpose)),
			page.Number(page.Group(d.Rows), page.Member(here, "rows")),
			page.Text(page.LabelList(d.Columns)),
		}
	})
	b.Add(t)
}

// warnings adds the warnings.
func (s *experimentView) warnings(b *page.Builder) {
	b.Heading(s.level, "Warnings", s.pointer("warnings"))
	b.Opening("What else should a reader of the answers know?", answers.Warnings(len(s.x.Warnings)))
	if len(s.x.Warnings) == 0 {
		return
	}
	b.Add(page.List{Items: page.Items(s.x.Warnings...)})
}

// assumptions adds A1–A8 with what checked each.
func assumptions(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Assumptions of the corrected answers", "/assumptions")
	b.Opening("What must be true for corrected answers to hold?", answers.Assumptions(r.Assumptions))
	if len(r.Assumptions) == 0 {
		return
	}
	b.Say("Corrected p-values, corrected intervals and bias bounds hold only if all of these do; a test for which one fails has " +
		"none. “Declared”: the protocol says so and a log cannot show it.")
	t := page.Table{
		Caption: "Assumptions",
		Pointer: "/assumptions",
		RowHead: true,
		Columns: []page.Column{{Title: "Id"}, {Title: "Assumption"}, {Title: "Status"}, {Title: "Checked by"}},
	}
	t.Rows = page.RowsOf(r.Assumptions, t.Pointer, func(a *schemas.Assumption, _ string) []page.Cell {
		return []page.Cell{
			{Spans: []page.Span{{Text: page.Label(a.ID), Style: page.StyleStrong}}},
			page.Text(a.Text),
			{Spans: []page.Span{page.Badge(page.OrDash(a.Status))}},
			page.Text(checkedBy(a)),
		}
	})
	b.Add(t)
}

// mostChecked is how many words of what checks an assumption stand in a report.
const mostChecked = 60

// checkedBy is what checks an assumption: of one that does not fail its first parts, as many as
// there is room for.
func checkedBy(a *schemas.Assumption) string {
	words, fails := 0, a.Status == "failed" || a.Status == schemas.MeansContradicted
	parts := strings.SplitAfter(a.CheckedBy, "; ")
	for i, part := range parts {
		if words += len(strings.Fields(part)); words > mostChecked && i > 0 && !fails {
			return strings.Join(parts[:i], "") + "more by banditaudit explain " + a.ID
		}
	}
	return a.CheckedBy
}
