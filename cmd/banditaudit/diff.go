package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/attest/compare"
	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

func diffCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "diff", Usage: "what changed between two bundles",
		UsageText: "banditaudit diff [--tolerance X] A B",
		Description: manual(`Names the claims, decisions and numbers that are others in B than in A, gone or new, and
which input, key of the protocol or version is another one too. A and B are bundles, or
a results.json. Places name tests by their ids, arms and experiments by their labels.
The exit code is 1 where a verdict fell or a claim is gone.`,
			"banditaudit diff last-week out",
			"banditaudit diff --tolerance 0.01 --json last-week out"),
		Flags: flags("json quiet max-memory",
			&cli.Float64Flag{Name: "tolerance", EnvVars: variable("TOLERANCE"), DefaultText: "0: every digit counts", Usage: "numbers that differ by at most `X` times the larger one are equal"}),
		Action: action(p, needs{operands: "two bundles, A and B"}, diff),
	}
}

// changes is what diff found; with --json it is printed.
type changes struct {
	Schema    string               `json:"schema"`
	Tolerance float64              `json:"tolerance"`
	Claims    []claimChange        `json:"claims"`
	Decisions []compare.Difference `json:"decisions"`
	Numbers   []compare.Difference `json:"numbers"`
	GoesWith  []compare.Difference `json:"goes_with"` // inputs, keys of the protocol, versions
	Overall   string               `json:"overall"`   // of A and of B
}

// claimChange is a claim with another verdict, or of which one side has none.
type claimChange struct {
	Experiment string `json:"experiment"`
	ID         string `json:"id"`
	A          string `json:"a"`
	B          string `json:"b"`
	Fell       bool   `json:"fell"` // or is gone
}

// diff compares two bundles.
func diff(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 2 {
		return usagef("diff compares two bundles, got %d arguments", c.NArg())
	}
	d := &changes{Schema: "diff.v1", Tolerance: c.Float64("tolerance"), Claims: []claimChange{}}
	if !(d.Tolerance >= 0) || math.IsInf(d.Tolerance, 0) {
		return usagef("--tolerance is %v, must be a number of at least 0", d.Tolerance)
	}
	a, err := sideOf(p, s, c.Args().Get(0))
	if err != nil {
		return err
	}
	b, err := sideOf(p, s, c.Args().Get(1))
	if err != nil {
		return err
	}
	if err = d.between(a, b); err != nil {
		return err
	}
	if err = d.print(p, s); err != nil {
		return err
	}
	if slices.ContainsFunc(d.Claims, func(c claimChange) bool { return c.Fell }) {
		return &gateError{exitExceptions, "a verdict fell"}
	}
	return nil
}

// side is one of both results.
type side struct {
	head        *schemas.Results
	experiments []byte // as JSON
}

// sideOf reads results. Both are held whole, so that their size is bounded.
func sideOf(p *process, s *settings, path string) (*side, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, resultsFile)
	}
	file, err := openResults(p, path, s.maxMemory)
	if err != nil {
		return nil, err
	}
	names := map[[2]string]bool{}
	for i := range file.Head.Claims {
		c := &file.Head.Claims[i]
		if names[[2]string{c.Experiment, c.ID}] {
			return nil, &inputError{fmt.Errorf("%s has the claim %s of %s twice; no audit writes that", schemas.Printable(path), schemas.Quoted(c.ID), schemas.Quoted(c.Experiment))}
		}
		names[[2]string{c.Experiment, c.ID}] = true
	}
	const factor = 16 // of their text, as trees
	if info, unread := os.Stat(path); unread == nil && info.Size() > s.maxMemory/factor {
		return nil, fmt.Errorf("%w: %s is too large to be compared within --max-memory; raise it", fault.ErrResource, path)
	}
	experiments := []schemas.Experiment{}
	err = file.Experiments(func(x *schemas.Experiment) error {
		experiments = append(experiments, *x)
		return nil
	})
	if err != nil {
		return nil, resultsError(err)
	}
	text, err := schemas.Encode(experiments)
	return &side{file.Head, text}, err
}

// between finds what changed from a to b.
func (d *changes) between(a, b *side) error {
	d.claims(a.head.Claims, b.head.Claims)
	all, err := compare.Trees(a.experiments, b.experiments, d.Tolerance)
	if err != nil {
		return err
	}
	verdicts, err := differences(a.head.Claims, b.head.Claims, d.Tolerance)
	if err != nil {
		return err
	}
	d.Decisions, d.Numbers, d.GoesWith = []compare.Difference{}, []compare.Difference{}, []compare.Difference{}
	for _, x := range all {
		x.At = "/experiments" + x.At
		switch {
		case strings.HasSuffix(x.At, "/decision"):
			d.Decisions = append(d.Decisions, x)
		case hasNumbers(&x):
			d.Numbers = append(d.Numbers, x)
		}
	}
	for _, x := range verdicts {
		if isNumber(x.A) || isNumber(x.B) {
			x.At = "/claims" + x.At
			d.Numbers = append(d.Numbers, x)
		}
	}
	d.Overall = a.head.Overall + " → " + b.head.Overall
	return d.with(a.head, b.head)
}

// numberText is a number, or an infinity, as results write it.
var numberText = regexp.MustCompile(`^(-?[0-9][0-9.eE+-]*|"-?inf")$`)

func isNumber(text string) bool { return numberText.MatchString(text) }

// hasNumbers reports whether a number changed, or what is gone or new can hold some.
func hasNumbers(x *compare.Difference) bool {
	return isNumber(x.A) || isNumber(x.B) || x.Whole()
}

// falls orders verdicts from the best one down.
func falls(v schemas.Verdict) int {
	return slices.Index([]schemas.Verdict{schemas.Verified, schemas.Consistent, schemas.NotApplicable, schemas.NotRun, schemas.NotEstablished, schemas.Violated}, v)
}

// claims compares verdicts by experiment and id.
func (d *changes) claims(a, b []schemas.Finding) {
	type name struct{ experiment, id string }
	left := map[name]schemas.Verdict{}
	for i := range b {
		left[name{b[i].Experiment, b[i].ID}] = b[i].Verdict
	}
	for i := range a {
		key := name{a[i].Experiment, a[i].ID}
		now, there := left[key]
		delete(left, key)
		switch {
		case !there:
			d.Claims = append(d.Claims, claimChange{key.experiment, key.id, string(a[i].Verdict), "gone", true})
		case now != a[i].Verdict:
			d.Claims = append(d.Claims, claimChange{key.experiment, key.id, string(a[i].Verdict), string(now), falls(now) > falls(a[i].Verdict)})
		}
	}
	for i := range b {
		if _, fresh := left[name{b[i].Experiment, b[i].ID}]; fresh {
			d.Claims = append(d.Claims, claimChange{b[i].Experiment, b[i].ID, "not there", string(b[i].Verdict), false})
		}
	}
}

// with lists what else is not the same: what a change may go with.
func (d *changes) with(a, b *schemas.Results) error {
	for _, part := range []struct {
		name string
		a, b any
	}{
		{"tool", a.Tool, b.Tool},
		{"inputs", a.Inputs, b.Inputs},
		{"commitment", a.Commitment, b.Commitment},
		{"protocol", a.Protocol, b.Protocol},
	} {
		found, err := differences(part.a, part.b, 0)
		if err != nil {
			return err
		}
		for _, x := range found {
			x.At = "/" + part.name + x.At
			d.GoesWith = append(d.GoesWith, x)
		}
	}
	return nil
}

// differences compares two values by their JSON.
func differences(a, b any, tolerance float64) ([]compare.Difference, error) {
	left, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	right, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	return compare.Trees(left, right, tolerance)
}

// mostShown is how many numbers are printed.
const mostShown = 20

// print writes what changed.
func (d *changes) print(p *process, s *settings) error {
	if s.json {
		return printJSON(p, d)
	}
	if s.quiet {
		return nil
	}
	var b strings.Builder
	say := func(what string, x compare.Difference) {
		if what == "number" {
			x.A, x.B = kind(x.A), kind(x.B)
		}
		fmt.Fprintf(&b, "%s: %s: %s → %s\n", what, terminal.Printable(x.At), terminal.Printable(x.A), terminal.Printable(x.B))
	}
	for _, c := range d.Claims {
		say("claim"+map[bool]string{true: ", fell"}[c.Fell], compare.Difference{At: c.ID + " of " + schemas.Named(c.Experiment), A: c.A, B: c.B})
	}
	for _, x := range d.Decisions {
		say("decision", x)
	}
	for i, x := range d.Numbers {
		if i == mostShown {
			fmt.Fprintf(&b, "number: %s more; --json has all\n", schemas.Grouped(int64(len(d.Numbers)-i)))
			break
		}
		say("number", x)
	}
	if b.Len() == 0 {
		b.WriteString("no claim, decision or number changed\n")
	}
	for _, x := range d.GoesWith {
		say("goes with", x)
	}
	fmt.Fprintf(&b, "\n%s\n", d.Overall)
	_, err := fmt.Fprint(p.stdout, b.String())
	return notWritten(err)
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
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return notWritten(e.Encode(document))
}

// writtenBy is the version that a results.json names in its first bytes.
var writtenBy = regexp.MustCompile(`^\{\s*"schema": "(results\.v[0-9]+)",\s*"tool": \{\s*"name": "banditaudit",\s*"version": "([^"]+)"`)

// otherVersion says of results that cannot be read that another version wrote them; the
// error as it is where this one did.
func otherVersion(path string, err error) error {
	start, unread := readStart(path)
	m := writtenBy.FindSubmatch(start)
	if unread != nil || m == nil || string(m[2]) == toolVersion {
		return err
	}
	return fmt.Errorf("%s has the form %s of version %s, which this version, %s, does not read: it reads results.v1 of versions from 0.2 on that are not newer than itself: %w",
		schemas.Printable(path), m[1], schemas.Printable(string(m[2])), toolVersion, err)
}
