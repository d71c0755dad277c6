package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"banditaudit/replay/world"
	"banditaudit/schemas"
)

// summaryExperiments is how many experiments the summary lists one by one; the
// rest are in results.json and in the report.
const summaryExperiments = 5

// printResults writes the summary of an audit, or results.json with --json.
func printResults(p *process, s *settings, r *schemas.Results) error {
	return printDocument(p, s, r, func() error { return resultsTable(p.stdout, r) })
}

// columns starts an aligned table.
func columns(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 4, 2, ' ', 0) }

func resultsTable(w io.Writer, r *schemas.Results) error {
	for i := range r.Experiments {
		if i == summaryExperiments {
			fmt.Fprintf(w, "… and %d more experiments; see the report\n\n", len(r.Experiments)-i)
			break
		}
		if err := experimentTable(w, r, &r.Experiments[i]); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s\n", r.Overall)
	return err
}

func experimentTable(w io.Writer, r *schemas.Results, e *schemas.Experiment) error {
	fmt.Fprintf(w, "Experiment %s: %d rounds, %d arms, run %.12s\n\n", visible(e.ID), e.Rounds, len(e.Arms), r.RunID)
	t := columns(w)
	fmt.Fprintln(t, "CLAIM\tVERDICT\tFOUND")
	for _, c := range r.Claims {
		if c.Experiment == e.ID {
			fmt.Fprintf(t, "%s\t%s\t%s\n", visible(c.ID), c.Verdict, visible(found(&c)))
		}
	}
	if len(e.Tests) > 0 {
		fmt.Fprintln(t, "\t\t\t\nTEST\tDECISION\tANY-TIME P\tCORRECTED P (ADJUSTED)")
		for i := range e.Tests {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", visible(e.Tests[i].ID), e.Tests[i].Decision, sequenceCell(&e.Tests[i]), correctedCell(&e.Tests[i]))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// found is the number and the reason; what is VERIFIED needs no reason here.
func found(c *schemas.Finding) string {
	switch {
	case c.Observed != "" && c.Reason != "" && c.Verdict != schemas.Verified:
		return c.Observed + " — " + c.Reason
	case c.Observed != "":
		return c.Observed
	}
	return c.Reason
}

func correctedCell(t *schemas.Test) string {
	for _, r := range t.Results {
		if r.Method != schemas.MethodCorrected {
			continue
		}
		switch {
		case !r.Applicable:
			return "NOT APPLICABLE: " + visible(r.Reason)
		case r.P == nil || r.PAdjusted == nil:
			return "—"
		case r.Vacuous:
			return "1 (1) VACUOUS"
		}
		return fmt.Sprintf("%.3g (%.3g)", *r.P, *r.PAdjusted)
	}
	return "—"
}

// sequenceCell is the p-value of the confidence sequence, which needs no
// privacy and holds for any policy and any stopping.
func sequenceCell(t *schemas.Test) string {
	for _, r := range t.Results {
		if r.Method == schemas.MethodSequence && r.P != nil {
			return fmt.Sprintf("%.3g", *r.P)
		}
	}
	return "—"
}

// visible makes text that came from a log or a protocol fit for a terminal:
// no control or direction-changing character goes through.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp) {
			return '\uFFFD'
		}
		return c
	}, text)
}

// visibleLines is visible for a text of several lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

func simulationTable(w io.Writer, dir string, truth *world.Truth) error {
	t := columns(w)
	fmt.Fprintln(t, "ARM\tMEAN\tPULLS")
	first := truth.Experiments[0]
	for a, label := range truth.Labels {
		fmt.Fprintf(t, "%s\t%g\t%d\n", visible(label), truth.Means[a], first.Pulls[a])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(truth.Experiments); n > 1 {
		fmt.Fprintf(w, "(pulls of experiment %s; %d experiments in all)\n", first.ID, n)
	}
	_, err := fmt.Fprintf(w, "\n%d rounds, regret %.4g, in %s; audit it with\n  banditaudit audit -p %s/protocol.yaml -o OUT %s/log\n", truth.Rounds, first.Regret, dir, dir, dir)
	return err
}

func manifestTable(w io.Writer, dir string, m *schemas.Manifest) error {
	t := columns(w)
	fmt.Fprintln(t, "COLUMN\tROLE\tTYPE")
	for _, c := range m.Columns {
		fmt.Fprintf(t, "%s\t%s\t%s\n", visible(c.Column), c.Role, c.Type)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range m.Counts {
		fmt.Fprintf(w, "%d rows: %s\n", c.Rows, c.Reason)
	}
	_, err := fmt.Fprintf(w, "\n%d rows of %d files, %d experiments, %d arms, in %s\n", m.Rows, len(m.Inputs), len(m.Experiments), len(m.Arms), dir)
	return err
}

func replayTable(w io.Writer, dir string, r *schemas.Replay) error {
	t := columns(w)
	fmt.Fprintln(t, "EXPERIMENT\tMODE\tMATCHED\tREPLAYABLE\tROUNDS\tEPSILON\tFIRST MISMATCH")
	for i := range r.Experiments {
		e := &r.Experiments[i]
		epsilon, first := "—", "—"
		if e.Privacy.EpsilonMechanism != nil {
			epsilon = fmt.Sprintf("%.6g", float64(*e.Privacy.EpsilonMechanism))
		}
		if m := e.Conformance.FirstMismatch; m != nil {
			first = fmt.Sprintf("round %d: logged %s, replayed %s", m.Round, visible(m.Logged), visible(m.Replayed))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", visible(e.ID), e.Conformance.Mode, e.Conformance.Matched, e.Conformance.Replayable, e.Conformance.Rounds, epsilon, first)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nreplay.json and transcript.arrow in %s\n", dir)
	return err
}

func validationTable(w io.Writer, v *validation) error {
	for _, problem := range v.Problems {
		fmt.Fprintln(w, problem)
	}
	if len(v.Columns) > 0 {
		t := columns(w)
		fmt.Fprintln(t, "COLUMN\tROLE\tTYPE")
		for _, c := range v.Columns {
			fmt.Fprintf(t, "%s\t%s\t%s\n", visible(c.Column), c.Role, c.Type)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	verdict := "valid"
	if !v.Valid {
		verdict = fmt.Sprintf("%d problems", len(v.Problems))
		if len(v.Problems) == 1 {
			verdict = "1 problem"
		}
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", v.Protocol, verdict)
	return err
}
