package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"banditaudit/analyze/check"
	"banditaudit/report"
	"banditaudit/schemas"
)

// summaryExperiments is how many experiments the summary lists one by one; the
// rest are in results.json and in the report.
const summaryExperiments = 5

// Results prints the summary of an audit: each of the first experiments by its claims,
// arms, tests and evaluated policies, and the overall line last. known are the checks,
// which say what is worth a note.
func Results(w io.Writer, known []check.Check, r *report.Digest) error {
	for i := range r.Experiments {
		if i == summaryExperiments {
			fmt.Fprintf(w, "… and %s more experiments; see the report\n\n", schemas.Grouped(int64(r.Count()-i)))
			break
		}
		if err := experimentTable(w, known, r, i); err != nil {
			return err
		}
	}
	if f := r.Family; f != nil && f.Decided > 0 {
		fmt.Fprintf(w, "%s: %s of %s rejected\n\n", familyWords(f.Method), schemas.Grouped(f.Rejected), Count(f.Tests, "test"))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "note: %s\n\n", schemas.Printable(note))
	}
	_, err := fmt.Fprintf(w, "%s\n", r.Overall)
	return err
}

func experimentTable(w io.Writer, known []check.Check, r *report.Digest, at int) error {
	e := &r.Experiments[at]
	fmt.Fprintf(w, "Experiment %s: %s, %s, run %.12s\n\n",
		schemas.Named(schemas.Printable(e.ID)), schemas.Counted(e.Rounds, "round"), schemas.Counted(len(e.Arms), "arm"), r.RunID)
	t := columns(w)
	fmt.Fprintln(t, "CLAIM\tVERDICT\tFOUND")
	for _, c := range r.Claims {
		if c.Experiment == e.ID {
			for i, line := range foundLines(&c, &e.Replay) {
				id, verdict := schemas.Named(schemas.Printable(c.ID)), string(c.Verdict)
				if i > 0 {
					id, verdict = "", ""
				}
				fmt.Fprintf(t, "%s\t%s\t%s\n", id, verdict, line)
			}
		}
	}
	for _, c := range check.Notes(known, e.Data.Checks) {
		fmt.Fprintf(t, "note %s\t\t%s\n", c.ID, cut(schemas.Printable(strings.TrimRight(c.Title+": "+c.Observed+". "+c.Detail, ". ")), maxFound))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	listed := min(len(r.Experiments), summaryExperiments)
	if err := armTable(w, e, linesOfArms(listed)); err != nil {
		return err
	}
	if err := testTable(w, e.Tests, max(leastTestLines, testLines/listed)); err != nil {
		return err
	}
	for _, note := range testNotes(r.Claims, e) {
		fmt.Fprintln(w, schemas.Printable(note))
	}
	for _, why := range undecided(e.Tests) {
		fmt.Fprintln(w, schemas.Printable(why))
	}
	for _, words := range e.Cautions {
		fmt.Fprintf(w, "caution: %s\n", schemas.Printable(words))
	}
	if err := valueTable(w, e); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// valueTable is what evaluated policies would have earned: one row for each, by the first
// estimate that is given of it, with the interval that holds at any time, and that of what
// it would have earned above the log.
func valueTable(w io.Writer, e *schemas.Experiment) error {
	var rows, notes []string
	for _, id := range e.Evaluated() {
		var most, fewer *schemas.Estimate
		point, approximate, always, gain := "—", "—", "—", "—"
		for _, x := range e.Estimates {
			switch {
			case x.EvaluationPolicy != id:
			case x.Anytime && x.Against == "":
				always, most = anyTimeCell(&x), &x
				if x.Estimator == schemas.EstimatorReplay && x.Estimate != nil {
					point, always = fmt.Sprintf("%.4g by %s", *x.Estimate, x.Estimator), endsCell(x.CI)
				}
			case x.Anytime:
				gain = anyTimeCell(&x)
			case x.Against == "" && x.Estimate != nil && point == "—":
				point, approximate, fewer = fmt.Sprintf("%.4g by %s", *x.Estimate, x.Estimator), endsCell(x.CI), &x
			}
		}
		note := otherRounds(fewer, most)
		if point == "—" && always == "—" {
			note = noValue(e, id)
		}
		if note != "" && len(rows) < maxValues {
			notes = append(notes, note)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", schemas.Named(schemas.Printable(id)), point, approximate, always, gain))
	}
	if len(rows) == 0 {
		return nil
	}
	t := columns(w)
	fmt.Fprintln(t, "\nVALUE\tESTIMATE\tAPPROXIMATELY\tAT ANY TIME\tABOVE THE LOG, AT ANY TIME")
	for i, row := range rows {
		if i == maxValues {
			fmt.Fprintf(t, "… and %d more policies; see the report\n", len(rows)-i)
			break
		}
		fmt.Fprintln(t, row)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(w, note)
	}
	return nil
}

// anyTimeCell is an interval that holds at any time, behind the value in it against which
// there is least evidence.
func anyTimeCell(e *schemas.Estimate) string {
	if e.Estimate == nil {
		return endsCell(e.CI)
	}
	return fmt.Sprintf("%.4g %s", *e.Estimate, endsCell(e.CI))
}

// otherRounds says that an estimate leaves out rounds which the interval at any time is
// about; "" where it does not.
func otherRounds(x, always *schemas.Estimate) string {
	if x == nil || always == nil || x.LeftOut == nil || x.Rounds == nil || always.Rounds == nil || *always.Rounds == *x.Rounds {
		return ""
	}
	which := "in which every arm that it plays could be played"
	switch {
	case *x.LeftOut == 0:
		which = "whose reward is known"
	case *x.Rounds+*x.LeftOut < *always.Rounds:
		which += " and whose reward is known"
	}
	return fmt.Sprintf("%s: ESTIMATE and APPROXIMATELY are over the %s %s, AT ANY TIME over %s.",
		schemas.Named(schemas.Printable(x.EvaluationPolicy)), schemas.Counted(*x.Rounds, "round"), which, schemas.Counted(*always.Rounds, "round"))
}

// noValue says why nothing is given of an evaluated policy, by the first reason that there
// is.
func noValue(e *schemas.Experiment, id string) string {
	for i := range e.Estimates {
		if x := &e.Estimates[i]; x.EvaluationPolicy == id && x.Reason != "" {
			return cut("No value of "+schemas.Named(schemas.Printable(id))+": "+schemas.Printable(x.Reason), maxExplained)
		}
	}
	return ""
}

// maxValues is how many evaluated policies the summary has.
const maxValues = 12

// foundLines are what found says, as lines of the table: one, or as many as the
// explanation of a contradiction takes, which is not cut before maxExplained.
func foundLines(c *schemas.Finding, r *schemas.Conformance) []string {
	text, room := schemas.Printable(found(c, r)), maxFound
	if h := fitting(c, r); h != nil && strings.HasPrefix(text, whatFits) {
		said := utf8.RuneCountInString(whatFits + schemas.Printable(h.Sentence()))
		room = max(room, min(said+utf8.RuneCountInString(readOn)+1, maxExplained))
	}
	lines := []string{cut(text, room)}
	if utf8.RuneCountInString(lines[0]) > maxFound {
		lines = Broken(lines[0], maxFound)
	}
	if c.Kind == schemas.KindConformance && r.Hints != nil && len(r.Hints.Named) > 0 {
		lines = append(lines, Broken(cut("a hint: "+schemas.Printable(r.Hints.Sentence()), maxExplained), maxFound)...)
	}
	return lines
}

// found is the number and the reason; what is VERIFIED needs no reason here, and
// of what a replay contradicts the reason alone decides: a line is cut, and with
// the number in front of it would be cut before what explains it.
func found(c *schemas.Finding, r *schemas.Conformance) string {
	replayed := c.Kind == schemas.KindConformance || c.Kind == schemas.KindPrivacyNoise
	switch {
	case replayed && c.Verdict == schemas.Violated && c.Reason != "":
		return decisive(c, r)
	case c.Observed != "" && c.Reason != "" && c.Verdict != schemas.Verified:
		return c.Observed + " — " + c.Reason
	case c.Observed != "":
		return c.Observed
	}
	return c.Reason
}

// decisive is a reason with what fits in front of where it was seen, if a line
// cannot hold both.
func decisive(c *schemas.Finding, r *schemas.Conformance) string {
	h := fitting(c, r)
	if h == nil || len([]rune(c.Reason)) <= maxFound {
		return c.Reason
	}
	where, rest, explained := strings.Cut(c.Reason, schemas.WhatFits+h.Sentence())
	if !explained { // something else is the reason
		return c.Reason
	}
	return whatFits + h.Sentence() + rest + " — " + where
}

// ofPolicy says whether the log was found to be the declared policy's.
func ofPolicy(claims []schemas.Finding, experiment string) schemas.Verdict {
	for i := range claims {
		if claims[i].Experiment == experiment && claims[i].Kind == schemas.KindConformance {
			return claims[i].Verdict
		}
	}
	return schemas.NotRun
}

// fitting is the explanation that fits what a claim is about; nil where none does.
func fitting(c *schemas.Finding, r *schemas.Conformance) *schemas.Hypothesis {
	switch noise := c.Kind == schemas.KindPrivacyNoise; {
	case noise && r.Released != nil && r.Released.Noise != nil:
		return schemas.Fitting(r.Released.Noise.Hypotheses)
	case c.Kind == schemas.KindConformance && r.Propensities != nil:
		return schemas.Fitting(r.Propensities.Hypotheses)
	}
	return nil
}

const (
	// maxFound is the width in characters of the last column, which a longer line
	// would break on any terminal.
	maxFound = 160
	// maxExplained is how many characters an explanation has, over several lines.
	maxExplained = 5 * maxFound

	whatFits = "what fits: "
	readOn   = " … see the report"
)
