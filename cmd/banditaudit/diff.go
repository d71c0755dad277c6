package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/layout"
	"banditaudit/schemas"
)

func diffCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "diff", Usage: "what changed between two bundles",
		UsageText: "banditaudit diff [--tolerance X] A B",
		Description: kit.Manual(`Names the claims, decisions and numbers that are others in B than in A, gone or new, and
which input, key of the protocol or version is another one too. A and B are bundles, or
a results.json. Places name tests by their ids, arms and experiments by their labels.
The exit code is 1 where a verdict fell or a claim is gone.`,
			"banditaudit diff last-week out",
			"banditaudit diff --tolerance 0.01 --json last-week out"),
		Flags: flags("json quiet max-memory",
			&cli.Float64Flag{Name: "tolerance", EnvVars: kit.Variable("TOLERANCE"), DefaultText: "0: every digit counts", Usage: "numbers that differ by at most `X` times the larger one are equal"}),
		Action: action(p, needs{operands: "two bundles, A and B"}, diff),
	}
}

// diff compares two bundles.
func diff(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 2 {
		return kit.Usagef("diff compares two bundles, got %d arguments", c.NArg())
	}
	tolerance := c.Float64("tolerance")
	if !(tolerance >= 0) || math.IsInf(tolerance, 0) {
		return kit.Usagef("--tolerance is %v, must be a number of at least 0", tolerance)
	}
	a, err := bundle.SideOf(c.Context, p.catalogue.Format(), c.Args().Get(0), s.MaxMemory)
	if err != nil {
		return err
	}
	b, err := bundle.SideOf(c.Context, p.catalogue.Format(), c.Args().Get(1), s.MaxMemory)
	if err != nil {
		return err
	}
	d, err := bundle.Between(c.Context, a, b, bundle.Comparison{Tolerance: tolerance, All: s.JSON, Memory: s.MaxMemory})
	if err != nil {
		return err
	}
	if err = printChanges(p, s, d); err != nil {
		return err
	}
	if d.Fell() {
		return kit.Tripped(kit.ExitExceptions, "a verdict fell")
	}
	return nil
}

// printChanges writes what changed.
func printChanges(p *process, s *settings, d *bundle.Changes) error {
	if s.JSON {
		return printJSON(p, d)
	}
	if s.Quiet {
		return nil
	}
	var b strings.Builder
	say := func(what string, x compare.Difference) {
		if what == "number" {
			x.A, x.B = kind(x.A), kind(x.B)
		}
		fmt.Fprintf(&b, "%s: %s: %s → %s\n", what, layout.Printable(x.At), layout.Printable(x.A), layout.Printable(x.B))
	}
	for _, c := range d.Claims {
		say("claim"+map[bool]string{true: ", fell"}[c.Fell], compare.Difference{At: c.ID + " of " + schemas.Named(c.Experiment), A: c.A, B: c.B})
	}
	for _, x := range d.Decisions {
		say("decision", x)
	}
	for _, x := range d.Numbers {
		say("number", x)
	}
	if d.More > 0 {
		fmt.Fprintf(&b, "number: %s more; --json has all\n", schemas.Grouped(int64(d.More)))
	}
	if b.Len() == 0 {
		b.WriteString("no claim, decision or number changed\n")
	}
	for _, x := range d.GoesWith {
		say("goes with", x)
	}
	fmt.Fprintf(&b, "\n%s\n", d.Overall)
	_, err := fmt.Fprint(p.Stdout, b.String())
	return kit.NotWritten(err)
}

// kind is a value in a line: of a list or an object only what it is.
func kind(value string) string {
	switch {
	case strings.HasPrefix(value, "{"):
		return "an object"
	case strings.HasPrefix(value, "["):
		return "a list"
	}
	return value
}

// printJSON prints a document that is no file.
func printJSON(p *process, document any) error {
	e := json.NewEncoder(p.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return kit.NotWritten(e.Encode(document))
}
