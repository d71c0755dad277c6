package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/kit/layout"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// printPlan prints a plan: the frontier, what it comes to, and its protocol.
func printPlan(w io.Writer, out string, p *documents.Plan) error {
	fmt.Fprintf(w, "%s rounds; every row costs ε and a test reads all of them\n\n", schemas.Grouped(p.Rounds))
	t := layout.Columns(w)
	fmt.Fprintf(t, "ε\tBIAS BOUND (PUBLISHED)\tσ = ε√T/2\tp = %s BECOMES (PUBLISHED)\tz NEEDED (PUBLISHED)\tUNMET\n", plainNumber(p.P))
	for i := range p.Frontier {
		f := &p.Frontier[i]
		published := "none is enough"
		if f.ZPaper != nil {
			published = few(*f.ZPaper)
		}
		fmt.Fprintf(t, "%s\t%s (%s)\t%s\t%s (%s)\t%s (%s)\t%s\n", plainNumber(f.Epsilon), ledger.RoundedUp(f.BiasBound), ledger.RoundedUp(float64(f.BiasBoundPaper)),
			few(f.Sigma), few(f.PCorrected), few(f.PCorrectedPaper), few(f.Z), published, strings.Join(f.Unmet, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if p.World != nil {
		if err := planOutcomes(w, p); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\n%s\n", p.Advice)
	if p.Protocol != "" && out == "" {
		fmt.Fprintf(w, "\n%s", p.Protocol)
	}
	if out != "" {
		fmt.Fprintf(w, "\nwritten to %s\n", out)
	}
	return nil
}

// planOutcomes prints what was simulated.
func planOutcomes(w io.Writer, p *documents.Plan) error {
	fmt.Fprintf(w, "\nSimulated, %s runs of each; playing every arm equally often has regret %s\n\n", schemas.Grouped(p.World.Runs), few(p.World.UniformRegret))
	t := layout.Columns(w)
	fmt.Fprintln(t, "ε\tPOLICY × COUNTER\tREGRET\tPOWER, CORRECTED\tPOWER, CONFIDENCE SEQUENCE")
	line := func(eps string, m *documents.PlanOutcome) {
		power := "no correction"
		if m.Power != nil {
			power = between(*m.Power)
		}
		fmt.Fprintf(t, "%s\t%s × %s\t%s\t%s\t%s\n", eps, m.Policy, m.Counter, between(m.Regret), power, between(m.Sequence))
	}
	for i := range p.Frontier {
		for j := range p.Frontier[i].Mechanisms {
			line(plainNumber(p.Frontier[i].Epsilon), &p.Frontier[i].Mechanisms[j])
		}
	}
	for i := range p.Exact {
		line("none", &p.Exact[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range p.Exact {
		m := &p.Exact[i]
		fmt.Fprintf(w, "\n%s × %s: an uncorrected test at %s of the least-pulled arm rejects in %s of runs with all means equal", m.Policy, m.Counter, plainNumber(p.Alpha), between(*m.FalseAlarms))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// few writes 4 significant digits.
func few(v float64) string {
	const digits, large = 4, 1e7
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if v > -large && v < large && strings.Contains(text, "e+") {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return text
}

// plainNumber writes every digit.
func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// between writes an estimate with its interval.
func between(e documents.PlanEstimate) string {
	const digits, whole = 3, 1000
	write := func(v float64) string {
		if v >= whole {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	return write(e.Value) + " [" + write(e.Lo) + ", " + write(e.Hi) + "]"
}
