package terminal

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"banditaudit/ingest"
	"banditaudit/replay/ledger"
	"banditaudit/replay/world"
	"banditaudit/report"
	"banditaudit/schemas"
)

// Simulation prints the truth of a simulated log in dir.
func Simulation(w io.Writer, dir string, truth *world.Truth) error {
	t := columns(w)
	fmt.Fprintln(t, "ARM\tMEAN\tPULLS")
	first := truth.Experiments[0]
	for a, label := range truth.Labels {
		mean := "—" // it depends on the context
		if truth.Means != nil {
			mean = fmt.Sprintf("%g", truth.Means[a])
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", schemas.Printable(label), mean, schemas.Grouped(first.Pulls[a]))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(truth.Experiments); n > 1 {
		fmt.Fprintf(w, "(pulls of experiment %s; %s experiments in all)\n", first.ID, schemas.Grouped(int64(n)))
	}
	if len(truth.Faults) > 0 {
		fmt.Fprintf(w, "(not what the protocol declares: %s)\n", strings.Join(truth.Faults, ", "))
	}
	_, err := fmt.Fprintf(w, "\n%s rounds, regret %.4g, in %s; audit it with\n  banditaudit audit -p %s/protocol.yaml -o OUT %s/log\n", schemas.Grouped(truth.Rounds), first.Regret, dir, dir, dir)
	return err
}

// Manifest prints what ingest made of the columns and rows of a log.
func Manifest(w io.Writer, dir string, m *schemas.Manifest) error {
	t := columns(w)
	fmt.Fprintln(t, "COLUMN\tROLE\tTYPE")
	for _, c := range m.Columns {
		fmt.Fprintf(t, "%s\t%s\t%s\n", schemas.Printable(c.Column), c.Role, c.Type)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range m.Counts {
		fmt.Fprintf(w, "%s rows: %s\n", schemas.Grouped(c.Rows), c.Reason)
	}
	_, err := fmt.Fprintf(w, "\n%s rows of %s files, %s experiments, %s arms, in %s\n",
		schemas.Grouped(m.Rows), schemas.Grouped(int64(len(m.Inputs))), schemas.Grouped(int64(len(m.Experiments))), schemas.Grouped(int64(len(m.Arms))), dir)
	return err
}

// roundedUp writes a loss with 6 digits, rounded up from the shortest decimal
// that reads as x: 0.1 stays 0.1.
func roundedUp(x float64) string {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		return "inf"
	}
	return ledger.NewLoss(r).Decimal(6)
}

// Replay prints how far the log of each experiment matches the declared policy.
func Replay(w io.Writer, dir string, r *schemas.Replay) error {
	t := columns(w)
	fmt.Fprintln(t, "EXPERIMENT\tMODE\tMATCHED\tREPLAYABLE\tROUNDS\tDECLARED EPSILON\tFIRST MISMATCH")
	for i := range r.Experiments {
		e := &r.Experiments[i]
		epsilon, first := "—", "—"
		if e.Privacy.EpsilonMechanism != nil {
			epsilon = roundedUp(float64(*e.Privacy.EpsilonMechanism))
		}
		if m := e.Conformance.FirstMismatch; m != nil {
			first = fmt.Sprintf("round %s: logged %s, replayed %s", schemas.Grouped(m.Round), schemas.Named(schemas.Printable(m.Logged)), schemas.Named(schemas.Printable(m.Replayed)))
		}
		if p := e.Conformance.Propensities; p != nil && p.FirstMismatch != nil && first == "—" {
			m := p.FirstMismatch
			first = fmt.Sprintf("round %s: logged propensity %.10g of %s, replayed %.10g", schemas.Grouped(m.Round), m.Logged, schemas.Named(schemas.Printable(m.Arm)), m.Replayed)
		}
		if first != "—" { // the mechanism that was accounted for did not make this log
			epsilon = "—"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", schemas.Printable(e.ID), e.Conformance.Mode, schemas.Grouped(e.Conformance.Matched),
			schemas.Grouped(e.Conformance.Replayable), schemas.Grouped(e.Conformance.Rounds), epsilon, first)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nreplay.json and transcript.arrow in %s\n", dir)
	return err
}

// Inspection prints what is known of a log before it is read: files, partitions, and
// what becomes of its columns.
func Inspection(w io.Writer, in *ingest.Inspection) error {
	fmt.Fprintf(w, "%s, %s, %s\n", Count(in.Files, "file"), Count(in.Rows, "row"), Count(in.Bytes, "byte"))
	for _, p := range in.Partitions {
		fmt.Fprintf(w, "partition %s: %s, %s in %s", schemas.Printable(p.Key), p.Type, Count(p.Values, "value"), Count(p.Files, "file"))
		if p.Nulls > 0 {
			fmt.Fprintf(w, ", null in %d", p.Nulls)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	if len(in.Columns) == 0 {
		return nil
	}
	t := columns(w)
	fmt.Fprintln(t, "COLUMN\tROLE\tTYPE\tBECOMES")
	for _, c := range in.Columns {
		for k, typ := range c.Types {
			text := typ.Type
			if len(c.Types) > 1 {
				text += fmt.Sprintf(" in %s, such as %s", Count(typ.Files, "file"), schemas.Printable(typ.First))
			}
			if k > 0 {
				fmt.Fprintf(t, "\t\t%s\t\n", text)
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", schemas.Printable(c.Column), c.Role, text, schemas.Printable(c.Becomes))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Reproduction prints one line per printed figure, and the gates; page is where the
// reasons are.
func Reproduction(w io.Writer, page string, r *schemas.Reproduction) error {
	t := columns(w)
	fmt.Fprintln(t, "FIGURE\tPAPER\tOURS [95 % INTERVAL]\tSETTING\tRUNS\tVERDICT")
	lines := 0
	for i := range r.Experiments {
		x := &r.Experiments[i]
		for j := range x.Figures {
			f := &x.Figures[j]
			lines++
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", f.ID, f.Paper, report.FigureValue(f), f.Setting, report.FigureRuns(x, f), f.Verdict)
		}
	}
	if lines > 0 {
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if few := report.FewRuns(r); few != "" {
		fmt.Fprintln(w, few)
	}
	all, failed := report.Gates(r)
	for _, g := range failed {
		fmt.Fprintf(w, "NOT PASSED: %s: %.4g outside [%.4g, %.4g]\n", g.What, g.Value, g.Lo, g.Hi)
	}
	_, err := fmt.Fprintf(w, "%d of %d gates passed; why each verdict, and the figures: %s\n", all-len(failed), all, page)
	return err
}
