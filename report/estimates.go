package report

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// estimates adds estimates of declared targets, when there are any.
func (s *experimentView) estimates(b *builder) {
	at := s.pointer("estimates")
	b.heading(s.level, "Estimates", at)
	b.opening("What would an arm, or another policy, have paid in all rounds?", estimatesFound(s.x.Estimates))
	if len(s.x.Estimates) == 0 {
		s.figure(b, figureWeights, "")
		return
	}
	if contradicted(s.x) {
		b.note(contradictedNote)
	}
	t := s.estimateTable(at)
	if t.made != nil {
		b.add(t)
		b.note(weightedNote)
	}
	s.figure(b, figureWeights, "")
	rests := restsOn(s.x.Estimates)
	for i, text := range rests {
		rests[i] = fmt.Sprintf("(%d) Valid under: %s", i+1, sentence(text))
	}
	if lines := slices.Concat(rests, refused(s.x.Estimates)); len(lines) > 0 {
		b.add(list{Items: items(lines...)})
	}
}

// weightedNote stands below a table of estimates.
const weightedNote = "Intervals are approximate: normal in many rounds, of a number that was fixed in advance, and each for itself. An estimate never lies outside the range of the reward: what the formula gives beyond it stands in brackets. The effective sample size and the largest weight are those of the arm's rewards, of a difference those of the arm with the smaller sample."

// estimateColumns lists the columns of a table of estimates. rests are what estimates are valid
// under.
func (s *experimentView) estimateColumns(rests []string) []partColumn[schemas.Estimate] {
	text := func(of func(e *schemas.Estimate) string) func(e *schemas.Estimate, at string) cell {
		return func(e *schemas.Estimate, _ string) cell { return txt(of(e)) }
	}
	under := func(e *schemas.Estimate) string {
		if e.ValidUnder == "" {
			return ""
		}
		return fmt.Sprintf("(%d)", slices.Index(rests, e.ValidUnder)+1)
	}
	return []partColumn[schemas.Estimate]{
		{head: column{Title: "Target"}, cell: text(func(e *schemas.Estimate) string { return label(e.Target) })},
		{head: column{Title: "Estimator"}, cell: text(func(e *schemas.Estimate) string { return label(e.Estimator) })},
		{
			head: column{Title: "Evaluated policy"}, cell: text(func(e *schemas.Estimate) string { return e.EvaluationPolicy }),
			has: func(e *schemas.Estimate) bool { return e.EvaluationPolicy != "" },
		},
		{head: numeric("Estimate"), cell: rawCell},
		{head: numeric("SE"), cell: func(e *schemas.Estimate, at string) cell { return number(opt(e.StdError, sig), sub(at, "std_error")) }},
		{head: numeric(s.protocol.level() + " interval"), cell: func(e *schemas.Estimate, at string) cell { return number(interval(e.CI), sub(at, "ci")) }},
		{head: numeric("Effective sample size"), cell: func(e *schemas.Estimate, at string) cell { return number(opt(e.ESS, sig), sub(at, "ess")) }},
		{head: numeric("Largest weight"), cell: largestCell, has: func(e *schemas.Estimate) bool { return e.LargestWeight != nil }},
		{head: numeric("Rounds left out"), cell: leftOutCell, has: func(e *schemas.Estimate) bool { return e.LeftOut != nil }},
		{
			head: column{Title: "At any time"}, cell: text(func(e *schemas.Estimate) string { return yesNo(e.Anytime) }),
			has: func(e *schemas.Estimate) bool { return e.Anytime },
		},
		{head: column{Title: "Valid under"}, cell: text(under)},
		{
			head: column{Title: "Why there is no interval"}, cell: text(func(e *schemas.Estimate) string { return e.Reason }),
			has: func(e *schemas.Estimate) bool { return e.Reason != "" },
		},
	}
}

// estimateTable has the estimates that are given, in the order of the results.
func (s *experimentView) estimateTable(at string) table {
	given := func(e *schemas.Estimate) bool { return e.Estimate != nil || e.Reason == "" }
	return partTable(table{Caption: "Estimates", Pointer: at, RowHead: true}, s.x.Estimates, given, s.estimateColumns(restsOn(s.x.Estimates)))
}

// rawCell is an estimate, with what the formula gives where that is outside the range.
func rawCell(e *schemas.Estimate, at string) cell {
	out := number(opt(e.Estimate, sig), sub(at, "estimate"))
	if !e.OutsideRange {
		return out
	}
	out.Spans = append(out.Spans, span{Text: " (" + opt(e.RawEstimate, sig) + ")"})
	return flagged(out, "OUTSIDE RANGE")
}

// largestCell is the largest weight of a reward, with its part of all.
func largestCell(e *schemas.Estimate, at string) cell {
	text := opt(e.LargestWeight, sig)
	if e.LargestShare != nil {
		text += fmt.Sprintf(" (%.3g %%)", 100**e.LargestShare)
	}
	return number(text, sub(at, "largest_weight"))
}

// leftOutCell is how many rounds are left out, with their part of all.
func leftOutCell(e *schemas.Estimate, at string) cell {
	if e.LeftOut == nil || e.Rounds == nil {
		return txt("")
	}
	text := group(*e.LeftOut)
	if *e.LeftOut > 0 {
		text += " (" + share(*e.LeftOut, *e.LeftOut+*e.Rounds) + ")"
	}
	return number(text, sub(at, "left_out"))
}

// restsOn is what estimates are valid under, each text once.
func restsOn(estimates []schemas.Estimate) []string {
	var out []string
	for i := range estimates {
		if text := estimates[i].ValidUnder; text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// refused says which estimates are not given; estimates with one reason stand together.
func refused(estimates []schemas.Estimate) []string {
	var why gathered
	for i := range estimates {
		if e := &estimates[i]; e.Estimate == nil && e.Reason != "" {
			why.add(e.Reason, label(e.Estimator)+" ("+label(e.Target)+")")
		}
	}
	out := make([]string, len(why.texts))
	for i, reason := range why.texts {
		out[i] = "NOT APPLICABLE: " + strings.Join(why.names[reason], ", ") + ": " + sentence(reason)
	}
	return out
}

// disclosures adds what this audit itself read.
func (s *experimentView) disclosures(b *builder) {
	at := s.pointer("disclosures")
	b.heading(s.level, "Disclosures: what this audit read", at)
	b.opening("Which rewards did this audit read?", disclosed(len(s.x.Disclosures)))
	if len(s.x.Disclosures) == 0 {
		return
	}
	text := "Each line is one exact reading of rewards by this audit. What was made from it stands in this report without noise."
	if s.protocol.Privacy != nil {
		text = "Each line is one exact reading of rewards by this audit. What was made from it stands in this report without noise and is outside the privacy budget of the experiment."
	}
	var once []string
	for i := range s.x.Arms {
		if a := &s.x.Arms[i]; a.Pulls == 1 && a.Mean != nil {
			once = append(once, a.Label)
		}
	}
	if len(once) > 0 {
		text += " The mean of an arm that was played once is that one reward: " + labels(once) + "."
	}
	b.say(text)
	t := table{
		Caption: "Exact readings",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Purpose"}, numeric("Rows"), {Title: "Columns"}},
	}
	t.Rows = rowsOf(s.x.Disclosures, at, func(d *schemas.Disclosure, here string) []cell {
		return []cell{
			txt(label(d.Purpose)),
			number(group(d.Rows), sub(here, "rows")),
			txt(labels(d.Columns)),
		}
	})
	b.add(t)
}

// warnings adds the warnings.
func (s *experimentView) warnings(b *builder) {
	b.heading(s.level, "Warnings", s.pointer("warnings"))
	b.opening("What else should a reader of the answers know?", warned(len(s.x.Warnings)))
	if len(s.x.Warnings) == 0 {
		return
	}
	b.add(list{Items: items(s.x.Warnings...)})
}

// assumptions adds A1–A8 with what checked each.
func assumptions(b *builder, r *Digest) {
	b.heading(2, "Assumptions of the corrected answers", "/assumptions")
	b.opening("What must be true for corrected answers to hold?", assumptionsFound(r.Assumptions))
	if len(r.Assumptions) == 0 {
		return
	}
	b.say("Where corrected p-values, corrected intervals and bias bounds are given, they hold only if all of these do. A test for which one of them fails has none, and says so. “Declared” means that the protocol says so and a log cannot show it.")
	t := table{
		Caption: "Assumptions",
		Pointer: "/assumptions",
		RowHead: true,
		Columns: []column{{Title: "Id"}, {Title: "Assumption"}, {Title: "Status"}, {Title: "Checked by"}},
	}
	t.Rows = rowsOf(r.Assumptions, t.Pointer, func(a *schemas.Assumption, _ string) []cell {
		return []cell{
			{Spans: []span{{Text: label(a.ID), Style: styleStrong}}},
			txt(a.Text),
			{Spans: []span{badge(words(a.Status))}},
			txt(a.CheckedBy),
		}
	})
	b.add(t)
}
