package terminal

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"banditaudit/cmd/kit/layout"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// leastTestLines are the lines of a table of tests at the least, its head and its end
// included.
const leastTestLines = 5

// testTable is how each test was decided, above what one of its columns is valid for. It has
// at most the given number of lines beside that caveat, whatever the number of tests.
func testTable(w io.Writer, tests []schemas.Test, lines int, caveat []string) error {
	if len(tests) == 0 {
		return nil
	}
	t := layout.Columns(w)
	fmt.Fprintln(t, "\nTEST\tDECISION\tBY\tP (ADJUSTED)\tINTERVAL\tNAIVE P")
	shown := shownTests(tests, lines-1)
	for _, x := range shown {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", schemas.Named(schemas.Printable(x.ID)), x.Decision, cmp.Or(x.DecidedBy, "—"), decidingCell(x), intervalCell(x), rawCell(x, schemas.MethodNaive))
	}
	if rest := len(tests) - len(shown); rest > 0 {
		fmt.Fprintf(t, "… and %s; see the report\n", schemas.Counted(int64(rest), "more test"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, line := range caveat {
		fmt.Fprintln(w, line)
	}
	return nil
}

// shownTests returns the tests as they are declared, where they fit into the given number
// of lines; else lines − 1 of them: tests of everything first, then tests without an
// answer, then rejected tests.
func shownTests(tests []schemas.Test, lines int) []*schemas.Test {
	out := make([]*schemas.Test, len(tests))
	for i := range tests {
		out[i] = &tests[i]
	}
	if len(out) <= lines {
		return out
	}
	slices.SortStableFunc(out, func(a, b *schemas.Test) int {
		return cmp.Compare(place(a), place(b))
	})
	return out[:lines-1]
}

// place is the smaller the earlier a test is shown where not all are.
func place(t *schemas.Test) int {
	switch {
	case t.Kind == schemas.TestJoint, t.Kind == schemas.TestEqual && t.Against == "":
		return 0
	case t.DecidedBy == "":
		return 1
	case t.Decision == schemas.DecisionRejected:
		return 2
	}
	return 3
}

// decidingCell is the p-value of the method that decides, with its adjusted one.
func decidingCell(t *schemas.Test) string {
	r := t.Result(t.DecidedBy)
	switch {
	case r == nil, r.P == nil, r.PAdjusted == nil:
		return "—"
	case r.Vacuous:
		return "1 (1) VACUOUS" + approximate(r)
	}
	return fmt.Sprintf("%s (%s)", Probability(*r.P, r.Log2P), Probability(*r.PAdjusted, nil)) + approximate(r)
}

// intervalCell is the interval of the method that decides.
func intervalCell(t *schemas.Test) string {
	return endsCell(t.DecidingInterval())
}

// endsCell is an interval, where there is one.
func endsCell(of *schemas.Interval) string {
	if of == nil {
		return "—"
	}
	return fmt.Sprintf("[%.4g, %.4g]", of[0], of[1])
}

// approximate marks what rests on a raw p that holds for many rounds only.
func approximate(r *schemas.TestResult) string {
	if r.Approximate {
		return " approximate"
	}
	return ""
}

// rawCell is the p-value of a method that corrects none.
func rawCell(t *schemas.Test, name string) string {
	if r := t.Result(name); r != nil && r.P != nil {
		return Probability(*r.P, r.Log2P)
	}
	return "—"
}

// testNotes say on what the p-values of an experiment's tests rest.
func testNotes(claims []schemas.Finding, e *schemas.Experiment) []string {
	if len(e.Tests) == 0 {
		return nil
	}
	notes := []string{"NAIVE P is valid only if the allocation had been fixed in advance."}
	if slices.ContainsFunc(e.Tests, func(t schemas.Test) bool { return t.DecidedBy == schemas.MethodCorrected }) {
		if verdict := ofPolicy(claims, e.ID); verdict != schemas.Verified {
			notes = append(notes, "P by corrected is that of the declared mechanism: policy.conformance is "+string(verdict)+".")
		}
	}
	notes = append(append(notes, carryover(e.Tests)...), everyRound(e.Tests)...)
	for _, why := range []string{schemas.HoldsBox, schemas.HoldsGrid} {
		if names, n := namedTests(e.Tests, func(t *schemas.Test) bool { return t.HoldsRejected() == why }); n > 0 {
			notes = append(notes, "The INTERVAL of "+names+" holds the value that is rejected: "+why+".")
		}
	}
	if names, n := namedTests(e.Tests, (*schemas.Test).ExcludesKept); n > 0 {
		notes = append(notes, "An INTERVAL is for one test alone: that of "+names+" excludes what is not rejected.")
	}
	for _, of := range [][2]string{
		{schemas.ValidIfConstant, looked(e, "H13", "check H13 finds none that moves") + ", and a smaller or faster drift that the arms share, or one that goes back and forth, can reject"},
		{schemas.ValidIfUnits, "each has a mean of its own, and how much other units' would differ is not in the p"},
		{schemas.ValidIfDeclared, "arms whose rounds were chosen by something that rewards follow differ, and no check shows all that they may have been chosen by (data.splits)"},
		{schemas.ValidIfExchangeable, "that is rewards within blocks of 10 rounds, where nothing else is declared (analysis.rerun.permute), and a drift within them can reject"},
		{schemas.ValidIfShift, "that is the hypothesis with the constant left open, and no check shows it: where arms differ otherwise a small p says that they do, and the interval is of nothing"},
		{schemas.ValidIfKept, "that is declared (log.keep_by), and no check shows it: a row that is left says nothing of those that are gone"},
		{schemas.ValidIfLogged, looked(e, "H17", "check H17 finds nothing against that on what it looks at (data.splits)") + ", and no check shows it"},
		{schemas.ValidIfDrawn, "no check shows that, and arms that follow what none looks at (data.splits) can be rejected though they pay alike"},
		{schemas.ValidIfBatches, "that the order of the arms was drawn is declared (policy.draw) or not contradicted by check H17 on what it looks at (data.splits), and no check shows it"},
		{schemas.ValidIfRecomputed, "policy.conformance finds nothing against that: " + looked(e, "H17", "check H17 finds nothing on what it looks at (data.splits)") + ", and no check shows it"},
		{schemas.ValidIfReplayed, "actions and propensities are recomputed, the order of rounds and what they met are as logged: " + looked(e, "H17", "check H17 finds nothing against that on what it looks at (data.splits)") + ", and no check shows it"},
		{schemas.ValidIfOrdered, "actions are recomputed, the order of rounds and what they met are as logged: " + looked(e, "H17", "check H17 finds nothing against that on what it looks at (data.splits)") + ", and no check shows it"},
		{schemas.ValidIfMissing, "check H11 finds nothing against that, and no check shows it: arms whose rewards are missing by different rules can be rejected though they pay alike"},
		{schemas.ValidIfKnown, "check H11 finds nothing against that, and no check shows it"},
		{schemas.ValidIfGiven, "means over other rounds, or after other arms, can be others"},
	} {
		notes = append(notes, onlyIf(e.Tests, of[0], of[1])...)
	}
	return notes
}

// looked are words on what a check finds, unless it was not run.
func looked(e *schemas.Experiment, id, words string) string {
	for i := range e.Data.Checks {
		if c := &e.Data.Checks[i]; c.ID == id && c.Status == schemas.CheckNotRun {
			return "check " + id + " was not run"
		}
	}
	return words
}

// everyRound says what is decided of tests that are not about means over the rounds that
// played the arms.
func everyRound(tests []schemas.Test) (notes []string) {
	const said = 3
	more := 0
	for i := range tests {
		switch t := &tests[i]; {
		case !t.EveryRound() && (t.Over == "" || t.Kind == schemas.TestEqual):
		case len(notes) == said:
			more++
		default:
			notes = append(notes, "The hypothesis of "+schemas.Named(t.ID)+" is that "+t.Hypothesis+".")
		}
	}
	if more > 0 {
		notes = append(notes, fmt.Sprintf("So it is with %d more.", more))
	}
	return notes
}

// familyWords introduce the count of rejections over all experiments.
func familyWords(method string) string {
	if method == "none" {
		return "All experiments, each test at its own level (no adjustment)"
	}
	return "All experiments as one family (" + method + ")"
}

// tinyP is the p-value below which a float64 keeps too few digits to print.
const tinyP = 1e-298

// Probability writes a p-value, from its logarithm where p is too small.
func Probability(p float64, log2p *schemas.Extended) string {
	switch text := fmt.Sprintf("%.3g", p); {
	case text == "1" && p < 1:
		return ">0.999"
	case p == 0 || p >= tinyP:
		return text
	case log2p == nil || math.IsInf(float64(*log2p), 0):
		return fmt.Sprintf("<%.3g", tinyP)
	}
	l := float64(float64(*log2p) * math.Log10(2))
	exponent := math.Floor(l)
	mantissa := fmt.Sprintf("%.3g", bitexact.Pow(10, l-exponent))
	if mantissa == "10" {
		mantissa, exponent = "1", exponent+1
	}
	return fmt.Sprintf("%se%.0f", mantissa, exponent)
}

// undecided says, once for every reason, why tests are not decided.
func undecided(tests []schemas.Test) []string {
	const named = 3
	var without page.Gathered
	for i := range tests {
		if t := &tests[i]; t.DecidedBy == "" {
			without.Add(t.Choice, schemas.Named(t.ID))
		}
	}
	reasons := without.Texts
	for i, why := range reasons {
		if of := without.Names[why]; len(of) == len(tests) {
			reasons[i] = "No test is decided: " + why
		} else {
			reasons[i] = "Not decided: " + schemas.FirstOf(of, named) + ": " + why
		}
	}
	return reasons
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
