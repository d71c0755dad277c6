package terminal

import (
	"fmt"
	"io"

	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Manifest prints what ingest made of the columns and rows of a log.
func Manifest(w io.Writer, dir string, m *schemas.Manifest) error {
	t := layout.Columns(w)
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

// Replay prints how far the log of each experiment matches the declared policy.
func Replay(w io.Writer, dir string, r *schemas.Replay) error {
	t := layout.Columns(w)
	fmt.Fprintln(t, "EXPERIMENT\tMODE\tMATCHED\tREPLAYABLE\tROUNDS\tDECLARED EPSILON\tFIRST MISMATCH")
	for i := range r.Experiments {
		e := &r.Experiments[i]
		epsilon, first := "—", "—"
		if e.Privacy.EpsilonMechanism != nil {
			epsilon = ledger.RoundedUp(float64(*e.Privacy.EpsilonMechanism))
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
	t := layout.Columns(w)
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
