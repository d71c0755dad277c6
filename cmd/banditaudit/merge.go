package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/assembly"
	"banditaudit/analyze/fragment"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/stored"
	"banditaudit/report"
	"banditaudit/schemas"
)

func mergeCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "the bundle of an audit from its parts",
		UsageText: "banditaudit merge -p protocol.yaml -o DIR FRAG...",
		Description: manual(`Puts the fragments of audit --part together: the same results, report, figures and
tables as one audit of the whole log writes, byte for byte, and the same exit code.
What is missing, doubled or of something else ends it with 4 (help parts).`,
			"banditaudit merge -p protocol.yaml -o out frag/*.frag",
			"banditaudit merge -p protocol.yaml -o out --force --fail-on caution frag/*.frag"),
		Flags: flags("protocol out json quiet verbose no-progress max-memory force fail-on",
			&cli.BoolFlag{Name: "openlineage", EnvVars: variable("OPENLINEAGE"), Usage: "write openlineage.json too, an event for a data catalogue"},
			&cli.StringFlag{Name: "commitment", EnvVars: variable("COMMITMENT"), Usage: "`FILE` that the parts were held against"},
			commitmentKeyFlag()),
		Action: action(p, needs{protocol: true, out: true, operands: "fragments, which audit --part wrote"}, func(c *cli.Context, p *process, s *settings) (err error) {
			s.openLineage = c.Bool("openlineage")
			if s.commitment, err = readCommitment(c.String("commitment"), c.String("commitment-key")); err != nil {
				return err
			}
			return left(c.Context, p, s, func(run *runRecord) (schemas.Overall, error) {
				return mergeInto(c.Context, p, s, c.Args().Slice(), run)
			})
		}),
	}
}

// mergeInto returns what the claims and cautions come to.
func mergeInto(ctx context.Context, p *process, s *settings, names []string, run *runRecord) (overall schemas.Overall, err error) {
	pl, err := newPipeline(p, s)
	if err != nil {
		return overall, err
	}
	if pl.committed, err = s.commitment.judge(p, pl.doc); err != nil {
		return overall, err
	}
	if err = checkApart(s.out, append(slices.Clone(names), s.protocol, seedFile(pl.doc)), nil); err != nil {
		return overall, err
	}
	parts, err := pl.gather(ctx, names)
	if err != nil {
		return overall, err
	}
	run.rows = parts.head.Rows()
	run.lap("fragments")
	return pl.bundled(ctx, run, func(dir *outputDir) (*report.Digest, error) {
		if err := encodeTo(dir, stored.ManifestFile, parts.manifest()); err != nil {
			return nil, err
		}
		digest, err := pl.findInto(dir, parts.head.Inputs, func(take func(*assembly.Outcome) error) error { return parts.each(ctx, s.maxMemory, take) })
		run.lap("merge")
		return digest, err
	})
}

// parts are the fragments of one audit.
type parts struct {
	head   *fragment.Head // of the first
	files  []*fragment.File
	names  []string
	places []outcomePlace // of all outcomes, in the order of the log
}

// outcomePlace is where an outcome stands.
type outcomePlace struct {
	fragment.Entry
	name string // of the fragment's file
}

// gather reads all fragments once, and refuses what is not one whole audit.
func (pl *pipeline) gather(ctx context.Context, names []string) (*parts, error) {
	own, err := pl.head()
	if err != nil {
		return nil, err
	}
	out := &parts{names: names}
	for _, name := range names {
		f, ferr := readFragment(name)
		if ferr = cmp.Or(ctx.Err(), ferr); ferr != nil {
			return nil, ferr
		}
		if out.head == nil { // what only they know is the first one's
			own.Log, own.Experiments, own.Seed, own.Exec = f.Head.Log, f.Head.Experiments, f.Head.Seed, f.Head.Exec
			out.head, own.Inputs = own, f.Head.Inputs
		}
		if why := own.Foreign(&f.Head); why != "" {
			return nil, &inputError{fmt.Errorf("%s does not belong to the fragments of this audit: %s", schemas.Printable(name), why)}
		}
		out.files = append(out.files, f)
		for _, e := range f.Entries {
			if !f.Head.Owns(e.ID) {
				return nil, &inputError{fmt.Errorf("%s holds experiment %s, which is not of part %s", schemas.Printable(name), schemas.Named(e.ID), f.Head.Part)}
			}
			out.places = append(out.places, outcomePlace{e, name})
		}
		f.Entries, f.Head.Inputs = nil, nil
	}
	slices.SortStableFunc(out.places, func(a, b outcomePlace) int { return cmp.Compare(a.Index, b.Index) })
	if err = out.whole(); err != nil {
		return nil, err
	}
	return out, nil
}

// whole says what is doubled or missing.
func (p *parts) whole() error {
	first := map[fragment.Part]string{}
	for i, f := range p.files {
		if other, twice := first[f.Head.Part]; twice {
			return &inputError{fmt.Errorf("part %s is given twice: %s and %s", f.Head.Part, schemas.Printable(other), schemas.Printable(p.names[i]))}
		}
		first[f.Head.Part] = p.names[i]
	}
	ids := map[string]string{}
	for i, at := range p.places {
		other, twice := ids[at.ID]
		if twice || i > 0 && p.places[i-1].Index == at.Index {
			return &inputError{fmt.Errorf("experiment %s is there twice: in %s and %s", schemas.Named(at.ID), schemas.Printable(cmp.Or(other, p.places[max(0, i-1)].name)), schemas.Printable(at.name))}
		}
		ids[at.ID] = at.name
	}
	if n := p.head.Experiments; len(p.places) != n {
		return &inputError{fmt.Errorf("the fragments hold %s of the %s experiments of the log%s", schemas.Grouped(int64(len(p.places))), schemas.Grouped(int64(n)), p.missing(first))}
	}
	rows := int64(0)
	for _, f := range p.files {
		rows += f.Rows
	}
	if want := p.head.Rows(); rows != want {
		return &inputError{fmt.Errorf("the experiments of the fragments have %s rows, the files of the log have %s", schemas.Grouped(rows), schemas.Grouped(want))}
	}
	return nil
}

// missing names the parts that are not there, where all are parts of as many.
func (p *parts) missing(has map[fragment.Part]string) string {
	const most = 20
	n := p.files[0].Head.N
	var out []string
	for i := 0; i < n && len(out) <= most; i++ {
		if _, ok := has[fragment.Part{I: i, N: n}]; !ok {
			out = append(out, fragment.Part{I: i, N: n}.String())
		}
	}
	if len(out) > most {
		out[most] = "…"
	}
	if len(out) == 0 || slices.ContainsFunc(p.files, func(f *fragment.File) bool { return f.Head.N != n }) {
		return ""
	}
	return "; missing: part " + strings.Join(out, ", ")
}

// manifest is that of the bundle.
func (p *parts) manifest() *fragment.Manifest {
	m := &fragment.Manifest{
		Schema: fragment.ManifestSchema, Tool: p.head.Tool, Inputs: p.head.Inputs, Rows: p.head.Rows(),
		Experiments: p.head.Experiments, Protocol: p.head.Protocol, Log: p.head.Log,
	}
	for _, f := range p.files {
		m.Fragments = append(m.Fragments, fragment.Listed{Part: f.Head.Part, Experiments: f.Count, Rows: f.Rows, SHA256: f.SHA256})
	}
	slices.SortFunc(m.Fragments, func(a, b fragment.Listed) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.I, b.I)) })
	return m
}

// outcomeFactor is how many times its bytes an outcome takes while it is read and written.
const outcomeFactor = 16

// each hands the outcomes over in the order of the log. Of all of them only one is
// held.
func (p *parts) each(ctx context.Context, memory int64, take func(*assembly.Outcome) error) error {
	for i := range p.places {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := &p.places[i]
		if at.Bytes > memory/outcomeFactor {
			return fmt.Errorf("%w: what was found in experiment %s takes about %d MiB; raise --max-memory", fault.ErrResource, schemas.Named(at.ID), at.Bytes*outcomeFactor>>20)
		}
		o, err := at.read()
		if err != nil {
			return &inputError{fmt.Errorf("%s: %w", schemas.Printable(at.name), err)}
		}
		err = take(o)
		if internal, ok := errors.AsType[*panicError](err); ok {
			err = &inputError{fmt.Errorf("%s: experiment %s: %v", schemas.Printable(at.name), schemas.Named(at.ID), internal.value)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (at *outcomePlace) read() (_ *assembly.Outcome, err error) {
	f, err := os.Open(at.name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return at.Outcome(f)
}
