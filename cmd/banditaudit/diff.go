package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
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

// changes is what diff found; with --json it is printed.
type changes struct {
	Schema    string               `json:"schema"`
	Tolerance float64              `json:"tolerance"`
	Claims    []claimChange        `json:"claims"`
	Decisions []compare.Difference `json:"decisions"`
	Numbers   []compare.Difference `json:"numbers"`
	GoesWith  []compare.Difference `json:"goes_with"` // inputs, keys of the protocol, versions
	Overall   string               `json:"overall"`   // of A and of B

	all      bool                 // numbers are kept, not mostShown alone
	more     int                  // numbers that are not kept
	verdicts []compare.Difference // numbers of claims
}

// claimChange is a claim with another verdict, or of which one side has none.
type claimChange struct {
	Experiment string `json:"experiment"`
	ID         string `json:"id"`
	A          string `json:"a"`
	B          string `json:"b"`
	Fell       bool   `json:"fell"` // or is gone
	order      [2]int // items of A first, as they stand there; then the new ones, as in B
}

// diff compares two bundles.
func diff(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 2 {
		return kit.Usagef("diff compares two bundles, got %d arguments", c.NArg())
	}
	d := &changes{Schema: "diff.v1", Tolerance: c.Float64("tolerance"), Claims: []claimChange{}, all: s.JSON}
	if !(d.Tolerance >= 0) || math.IsInf(d.Tolerance, 0) {
		return kit.Usagef("--tolerance is %v, must be a number of at least 0", d.Tolerance)
	}
	a, err := sideOf(c.Context, p, s, c.Args().Get(0))
	if err != nil {
		return err
	}
	b, err := sideOf(c.Context, p, s, c.Args().Get(1))
	if err != nil {
		return err
	}
	if err = d.between(c.Context, a, b, s.MaxMemory); err != nil {
		return err
	}
	if err = d.print(p, s); err != nil {
		return err
	}
	if slices.ContainsFunc(d.Claims, func(c claimChange) bool { return c.Fell }) {
		return kit.Tripped(kit.ExitExceptions, "a verdict fell")
	}
	return nil
}

// side is one of both results.
type side struct {
	path string
	head *schemas.Results
	*resultsfile.Index
}

// sideOf reads results, and holds where each experiment stands.
func sideOf(ctx context.Context, p *process, s *settings, path string) (*side, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, kit.ResultsFile)
	}
	file, err := openResults(p, path, s.MaxMemory)
	if err != nil {
		return nil, err
	}
	index, err := file.Index(ctx)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), resultsError(err))
	}
	return &side{path, file.Head, index}, nil
}

// part is what a side has of an experiment. No claim is there twice.
func (s *side) part(name string) (*resultsfile.Part, error) {
	part, err := s.Part(name)
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s: %w", schemas.Printable(s.path), err))
	}
	seen := map[string]bool{}
	for i := range part.Claims {
		c := &part.Claims[i]
		if seen[c.ID] {
			return nil, kit.BadInput(fmt.Errorf("%s has the claim %s of %s twice; no audit writes that", schemas.Printable(s.path), schemas.Quoted(c.ID), schemas.Quoted(c.Experiment)))
		}
		seen[c.ID] = true
	}
	return part, nil
}

// foundBytes is what a difference takes until it is printed.
const foundBytes = 1 << 10

// between finds what changed from a to b, one experiment after another.
func (d *changes) between(ctx context.Context, a, b *side, memory int64) error {
	d.Decisions, d.Numbers, d.GoesWith = []compare.Difference{}, []compare.Difference{}, []compare.Difference{}
	names := append(a.Names(), b.Names()...)
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(compare.Natural(x, y), strings.Compare(x, y)) })
	for _, name := range slices.Compact(names) {
		if err := cmp.Or(ctx.Err(), d.within(a, b, name)); err != nil {
			return err
		}
		if n := len(d.Claims) + len(d.Decisions) + len(d.Numbers) + len(d.verdicts); int64(n) > memory/foundBytes {
			return fmt.Errorf("%w: more than %s changed, which is more than --max-memory holds; raise it", fault.ErrResource, schemas.Counted(n, "value"))
		}
	}
	slices.SortStableFunc(d.Claims, func(x, y claimChange) int { return slices.Compare(x.order[:], y.order[:]) })
	slices.SortStableFunc(d.verdicts, func(x, y compare.Difference) int { return compare.Natural(claimOf(&x), claimOf(&y)) })
	for _, x := range d.verdicts {
		x.At = "/claims" + x.At
		d.number(x)
	}
	d.Overall = a.head.Overall + " → " + b.head.Overall
	return d.with(a.head, b.head)
}

// claimOf is the name of a claim in the place of one of its numbers.
func claimOf(x *compare.Difference) string {
	name, _, _ := strings.Cut(x.At[1:], "/")
	return compare.Unescape(name)
}

// number takes up a number that changed. Without --json few are shown.
func (d *changes) number(x compare.Difference) {
	if !d.all && len(d.Numbers) == mostShown {
		d.more++
		return
	}
	d.Numbers = append(d.Numbers, x)
}

// within finds what changed in an experiment.
func (d *changes) within(a, b *side, name string) error {
	left, err := a.part(name)
	if err != nil {
		return err
	}
	right, err := b.part(name)
	if err != nil {
		return err
	}
	d.claims(left, right)
	all, err := differences(left.Experiment, right.Experiment, d.Tolerance)
	if err != nil {
		return err
	}
	for _, x := range all {
		x.At = "/experiments/" + compare.Escape(name) + x.At
		switch {
		case strings.HasSuffix(x.At, "/decision"):
			d.Decisions = append(d.Decisions, x)
		case hasNumbers(&x):
			d.number(x)
		}
	}
	verdicts, err := differences(left.Claims, right.Claims, d.Tolerance)
	for _, x := range verdicts {
		if isNumber(x.A) || isNumber(x.B) {
			d.verdicts = append(d.verdicts, x)
		}
	}
	return err
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

// claims compares verdicts on an experiment by id.
func (d *changes) claims(a, b *resultsfile.Part) {
	left := map[string]schemas.Verdict{}
	for i := range b.Claims {
		left[b.Claims[i].ID] = b.Claims[i].Verdict
	}
	for i := range a.Claims {
		c, order := &a.Claims[i], [2]int{0, a.Places[i]}
		now, there := left[c.ID]
		delete(left, c.ID)
		switch {
		case !there:
			d.Claims = append(d.Claims, claimChange{c.Experiment, c.ID, string(c.Verdict), "gone", true, order})
		case now != c.Verdict:
			d.Claims = append(d.Claims, claimChange{c.Experiment, c.ID, string(c.Verdict), string(now), falls(now) > falls(c.Verdict), order})
		}
	}
	for i := range b.Claims {
		c := &b.Claims[i]
		if _, fresh := left[c.ID]; fresh {
			d.Claims = append(d.Claims, claimChange{c.Experiment, c.ID, "not there", string(c.Verdict), false, [2]int{1, b.Places[i]}})
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

// differences compares two values by their JSON. An experiment that is not there has none.
func differences(a, b any, tolerance float64) ([]compare.Difference, error) {
	var text [2][]byte
	for i, v := range []any{a, b} {
		if x, ok := v.(*schemas.Experiment); ok && x == nil {
			continue
		}
		var err error
		if text[i], err = schemas.Encode(v); err != nil {
			return nil, err
		}
	}
	return compare.Trees(text[0], text[1], tolerance)
}

// mostShown is how many numbers are printed.
const mostShown = 20

// print writes what changed.
func (d *changes) print(p *process, s *settings) error {
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
	if d.more > 0 {
		fmt.Fprintf(&b, "number: %s more; --json has all\n", schemas.Grouped(int64(d.more)))
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

// writtenBy is the version that a results.json names in its first bytes.
var writtenBy = regexp.MustCompile(`^\{\s*"schema": "(results\.v[0-9]+)",\s*"tool": \{\s*"name": "banditaudit",\s*"version": "([^"]+)"`)

// otherVersion says of results that cannot be read that another version wrote them; the
// error as it is where this one did.
func otherVersion(path string, err error) error {
	start, unread := kit.ReadStart(path)
	m := writtenBy.FindSubmatch(start)
	if unread != nil || m == nil || string(m[2]) == kit.Version {
		return err
	}
	return fmt.Errorf("%s has the form %s of version %s, which this version, %s, does not read: it reads results.v1 of versions from 0.2 on that are not newer than itself: %w",
		schemas.Printable(path), m[1], schemas.Printable(string(m[2])), kit.Version, err)
}
