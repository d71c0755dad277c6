package terminal

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/kit/layout"
	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/schemas"
)

const (
	// mostLines are the lines of the summary of an audit.
	mostLines = 40
	// mostAnswerLines and mostClaimLines bound the lines of the answers and of the claims.
	mostAnswerLines, mostClaimLines = 13, 12
)

// Results prints the summary of an audit, which has at most 40 lines whatever the log:
// the answers, the arms, the tests, the claims, and the overall line last. Of several
// experiments it has the answers and the claims that are contradicted or not settled.
// known are the checks, which say what is worth a note.
func Results(w io.Writer, known []check.Check, r *digest.Digest, look layout.Look) error {
	said, err := answers.All(r)
	if err != nil {
		return err
	}
	page := append(title(r), answerLines(said, look.Width)...)
	if r.Count() == 1 && len(r.Experiments) == 1 {
		page, err = experimentPage(page, known, r, look)
	} else {
		page, err = manyPage(page, r, look.Width)
	}
	if err != nil {
		return err
	}
	for _, line := range append(page, "", r.Overall) {
		if look.Colour {
			line = coloured(line)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// title says what was audited.
func title(r *digest.Digest) []string {
	if r.Count() != 1 || len(r.Experiments) != 1 {
		return []string{fmt.Sprintf("%s, run %.12s", schemas.Counted(int64(r.Count()), "experiment"), r.RunID), ""}
	}
	e := &r.Experiments[0]
	var played schemas.TimeSpan
	played.Add(&e.Data)
	return []string{fmt.Sprintf("Experiment %s: %s, %s, run %.12s",
		schemas.Named(schemas.Printable(e.ID)), strings.TrimSpace(schemas.Counted(e.Rounds, "round")+" "+played.Dates()), schemas.Counted(len(e.Arms), "arm"), r.RunID), ""}
}

// answerLines are the answers as lines, by whole sentences as far as there is room. What
// was checked stands in the table of claims.
func answerLines(list []answers.Answer, width int) []string {
	var out []string
	for _, a := range list {
		if a.InClaims {
			continue
		}
		answer := a.Question + ": "
		for i, said := range a.Said {
			more := layout.Broken(answer+schemas.Printable(said), width)
			if i > 0 && len(out)+len(more) > mostAnswerLines {
				answer += "More stands in the report."
				break
			}
			answer += schemas.Printable(said) + " "
		}
		out = append(out, layout.Broken(answer, width)...)
	}
	return out
}

// ends are the lines around claims, notes and the overall line.
const ends = 4

// experimentPage adds what was found in one experiment. Where arms, tests and claims do not
// all fit, claims are told shorter first.
func experimentPage(page []string, known []check.Check, r *digest.Digest, look layout.Look) ([]string, error) {
	e := &r.Experiments[0]
	var caveat []string
	notes := testNotes(r.Claims, e)
	if len(notes) > 0 {
		caveat, notes = layout.Broken(notes[0], look.Width), notes[1:]
	}
	wanted := len(e.Tests) + 2 + len(caveat)
	claims, err := claimLines(known, r, look.Width, mostLines-len(page)-ends-wanted-min(len(e.Arms)+2, armLines))
	if err != nil {
		return nil, err
	}
	left := func() int { return mostLines - len(page) - len(claims) - ends }
	parts := []func(w io.Writer) error{
		func(w io.Writer) error {
			room := left() - 1
			if len(e.Tests) > 0 {
				room = max(room/2, room-wanted)
			}
			return armTable(w, e, min(armLines, max(leastArmLines, room)))
		},
		func(w io.Writer) error {
			return testTable(w, e.Tests, max(leastTestLines, left()-1-len(caveat)), caveat)
		},
		func(w io.Writer) error { return valueTable(w, e) },
	}
	for _, part := range parts {
		lines, err := printed(part)
		if err != nil {
			return nil, err
		}
		if len(lines) <= left() {
			page = append(page, lines...)
		}
	}
	notes = append(notes, undecided(e.Tests)...)
	for i, note := range notes {
		lines := layout.Broken(schemas.Printable(note), look.Width)
		if len(lines)+1 > left() {
			page = append(page, schemas.Counted(int64(len(notes)-i), "more note")+" on the tests; see the report")
			break
		}
		page = append(page, lines...)
	}
	return append(append(page, ""), claims...), nil
}

// claimLines are the lines of the table of claims: with all that was found where there is
// room for it, else with two lines of each claim.
func claimLines(known []check.Check, r *digest.Digest, width, room int) ([]string, error) {
	const briefly = 2
	var claims []string
	for _, each := range []int{mostClaimLines, briefly} {
		var err error
		if claims, err = printed(func(w io.Writer) error { return claimTable(w, known, r, width, each) }); err != nil {
			return nil, err
		}
		if len(claims) <= room {
			break
		}
	}
	if len(claims) > mostClaimLines {
		claims = append(claims[:mostClaimLines-1], "… and more; see the report")
	}
	return claims, nil
}

// manyPage adds the claims that are contradicted or not settled, the worst first, and what
// tests of all experiments as one family come to.
func manyPage(page []string, r *digest.Digest, width int) ([]string, error) {
	bad, v := r.Worst(), r.Sums().Verdicts
	all := v.Violated + v.NotEstablished + v.NotRun
	claims, err := printed(func(w io.Writer) error {
		if len(bad) == 0 {
			return nil
		}
		t := layout.Columns(w)
		fmt.Fprintln(t, "\nEXPERIMENT\tCLAIM\tVERDICT")
		for _, c := range bad[:min(len(bad), mostClaimLines)] {
			fmt.Fprintf(t, "%s\t%s\t%s\n", labelCell(c.Experiment), schemas.Named(schemas.Printable(c.ID)), c.Verdict)
		}
		if rest := all - mostClaimLines; rest > 0 {
			fmt.Fprintf(t, "… and %s; see the report\n", schemas.Counted(int64(rest), "more claim"))
		}
		return t.Flush()
	})
	page = append(page, claims...)
	if f := r.Family; f != nil && f.Decided > 0 {
		page = append(page, "", fmt.Sprintf("%s: %s of %s rejected", familyWords(f.Method), schemas.Grouped(f.Rejected), schemas.Counted(f.Tests, "test")))
	}
	for _, condition := range carryoverOfMany(r) {
		page = append(page, layout.Broken(condition, width)...)
	}
	for _, note := range r.Notes {
		page = append(page, "note: "+schemas.Printable(note))
	}
	return page, err
}

// printed are the lines that something prints.
func printed(to func(w io.Writer) error) ([]string, error) {
	var b bytes.Buffer
	if err := to(&b); err != nil || b.Len() == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), nil
}

// claimTable has the claims of an experiment, the contradicted first, and the checks that
// are worth a note, each in at most each lines.
func claimTable(w io.Writer, known []check.Check, r *digest.Digest, width, each int) error {
	e := &r.Experiments[0]
	t := layout.Columns(w)
	fmt.Fprintln(t, "CLAIM\tVERDICT\tFOUND")
	violated := func(c schemas.Finding) bool { return c.Verdict == schemas.Violated }
	claims := slices.Clone(r.Claims)
	slices.SortStableFunc(claims, func(a, b schemas.Finding) int {
		switch {
		case violated(a) == violated(b):
			return 0
		case violated(a):
			return -1
		}
		return 1
	})
	const before = 48 // the two columns before what was found
	room := max(leastFound, width-before)
	for i := range claims {
		c := &claims[i]
		if plain := answers.Told(r, c); plain != "" && c.Verdict == schemas.Consistent {
			c.Observed, c.Reason = plain, "" // the report has how it was tested
		}
		for j, line := range atMost(each, foundLines(c, &e.Replay, room), room) {
			id, verdict := schemas.Named(schemas.Printable(c.ID)), string(c.Verdict)
			if j > 0 {
				id, verdict = "", ""
			}
			fmt.Fprintf(t, "%s\t%s\t%s\n", id, verdict, line)
		}
	}
	for _, c := range check.Notes(known, e.Data.Checks) {
		lines := layout.Broken(cut(schemas.Printable(strings.TrimRight(c.Title+": "+c.Observed+". "+c.Detail, ". ")), maxFound), room)
		for j, line := range atMost(each, lines, room) {
			id := "note " + c.ID
			if j > 0 {
				id = ""
			}
			fmt.Fprintf(t, "%s\t\t%s\n", id, line)
		}
	}
	return t.Flush()
}

// atMost are the first lines, the last of them cut where there are more.
func atMost(most int, lines []string, room int) []string {
	if len(lines) <= most {
		return lines
	}
	last := []rune(lines[most-1])
	return append(lines[:most-1:most-1], strings.TrimRight(string(last[:min(len(last), room-2)]), " ")+" …")
}

// coloured gives the words of verdicts and of the overall line their colours.
func coloured(line string) string {
	const red, green, amber, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"
	switch {
	case strings.HasPrefix(line, "EXCEPTIONS NOTED"):
		return red + line + plain
	case strings.HasPrefix(line, "INCOMPLETE"), strings.HasPrefix(line, "NO EXCEPTIONS NOTED,"):
		return amber + line + plain
	case strings.HasPrefix(line, "NO EXCEPTIONS NOTED"):
		return green + line + plain
	}
	for _, of := range [][2]string{{"VIOLATED", red}, {"NOT ESTABLISHED", amber}, {"NOT RUN", amber}, {"VERIFIED", green}, {"CONSISTENT", green}} {
		if before, after, found := strings.Cut(line, "  "+of[0]); found {
			return before + "  " + of[1] + of[0] + plain + after
		}
	}
	return line
}

// valueTable is what evaluated policies would have earned: one row for each, by the first
// estimate that is given of it, with the interval that holds at any time, and the interval
// of what it would have earned above the log.
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
	t := layout.Columns(w)
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
func foundLines(c *schemas.Finding, r *schemas.Conformance, width int) []string {
	finding, room := schemas.Printable(found(c, r)), maxFound
	if h := fitting(c, r); h != nil && strings.HasPrefix(finding, whatFits) {
		said := utf8.RuneCountInString(whatFits + schemas.Printable(h.Sentence()))
		room = max(room, min(said+utf8.RuneCountInString(readOn)+1, maxExplained))
	}
	lines := layout.Broken(cut(finding, room), width)
	if c.Kind == schemas.KindConformance && r.Hints != nil && len(r.Hints.Named) > 0 {
		lines = append(lines, layout.Broken(cut("a hint: "+schemas.Printable(r.Hints.Sentence()), maxExplained), width)...)
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
	case c.Observed != "" && strings.HasPrefix(c.Reason, c.Observed):
		return c.Reason
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
	// maxFound is how many characters there are of what was found, over several lines, and
	// leastFound how many of them a line has at the least.
	maxFound, leastFound = 160, 30
	// maxExplained is how many characters an explanation has, over several lines.
	maxExplained = 5 * maxFound

	whatFits = "what fits: "
)
