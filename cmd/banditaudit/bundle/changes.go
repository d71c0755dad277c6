package bundle

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// Changes is what diff found; with --json it is printed.
type Changes struct {
	Schema    string               `json:"schema"`
	Tolerance float64              `json:"tolerance"`
	Claims    []claimChange        `json:"claims"`
	Decisions []compare.Difference `json:"decisions"`
	Numbers   []compare.Difference `json:"numbers"`
	GoesWith  []compare.Difference `json:"goes_with"` // inputs, keys of the protocol, versions
	Overall   string               `json:"overall"`   // of A and of B

	all      bool                 // numbers are kept, not mostShown alone
	More     int                  // numbers that are not kept
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

// Side is one of both results.
type Side struct {
	path string
	head *schemas.Results
	*resultsfile.Index
}

// SideOf reads results, and holds where each experiment stands.
func SideOf(ctx context.Context, format *schemas.Catalogue, path string, memory int64) (*Side, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, kit.ResultsFile)
	}
	file, err := OpenResults(format, path, memory)
	if err != nil {
		return nil, err
	}
	index, err := file.Index(ctx)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), ResultsError(err))
	}
	return &Side{path, file.Head, index}, nil
}

// part is what a side has of an experiment. No claim is there twice.
func (s *Side) part(name string) (*resultsfile.Part, error) {
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

// Comparison is how two bundles are compared.
type Comparison struct {
	Tolerance float64
	All       bool // numbers are kept, not mostShown alone
	Memory    int64
}

// Between finds what changed from a to b, one experiment after another.
func Between(ctx context.Context, a, b *Side, asked Comparison) (*Changes, error) {
	d := &Changes{
		Schema: "diff.v1", Tolerance: asked.Tolerance, Claims: []claimChange{}, all: asked.All,
		Decisions: []compare.Difference{}, Numbers: []compare.Difference{}, GoesWith: []compare.Difference{},
	}
	err := d.find(ctx, a, b, asked.Memory)
	return d, err
}

// Fell reports whether a verdict fell, or a claim is gone.
func (d *Changes) Fell() bool {
	return slices.ContainsFunc(d.Claims, func(c claimChange) bool { return c.Fell })
}

// find fills in what changed.
func (d *Changes) find(ctx context.Context, a, b *Side, memory int64) error {
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
func (d *Changes) number(x compare.Difference) {
	if !d.all && len(d.Numbers) == mostShown {
		d.More++
		return
	}
	d.Numbers = append(d.Numbers, x)
}

// within finds what changed in an experiment.
func (d *Changes) within(a, b *Side, name string) error {
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
func (d *Changes) claims(a, b *resultsfile.Part) {
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
func (d *Changes) with(a, b *schemas.Results) error {
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
