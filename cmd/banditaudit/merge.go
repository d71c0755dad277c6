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
	"golang.org/x/sync/errgroup"

	"banditaudit/analyze/assembly"
	"banditaudit/analyze/fragment"
	"banditaudit/ingest"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/stored"
	"banditaudit/report"
	"banditaudit/schemas"
)

func mergeCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "the bundle of an audit from its parts",
		UsageText: "banditaudit merge -p protocol.yaml [--log log.json] -o DIR FRAG...",
		Description: manual(`Puts the fragments of audit --part, or of audit --log, together: the same results,
report, figures and tables as one audit of the whole log writes, byte for byte, and the
same exit code. What is missing, doubled or of something else ends it with 4 (help parts).`,
			"banditaudit merge -p protocol.yaml -o out frag/*.frag",
			"banditaudit merge -p protocol.yaml --log log.json -o out frag/*.frag",
			"banditaudit merge -p protocol.yaml -o out --force --fail-on caution frag/*.frag"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force fail-on",
			logFlag("the fragments are of audit --log `FILE`"),
			&cli.BoolFlag{Name: "openlineage", EnvVars: variable("OPENLINEAGE"), Usage: "write openlineage.json too, an event for a data catalogue"},
			&cli.StringFlag{Name: "commitment", EnvVars: variable("COMMITMENT"), Usage: "`FILE` that the parts were held against"},
			commitmentKeyFlag()),
		Action: action(p, needs{protocol: true, out: true, operands: "fragments, which audit --part or --log wrote"}, func(c *cli.Context, p *process, s *settings) (err error) {
			s.openLineage = c.Bool("openlineage")
			if c.IsSet("log") {
				if s.log, err = readLog(c.String("log")); err != nil {
					return err
				}
			}
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
		digest, err := pl.findInto(dir, parts.head.Inputs, func(take func(*assembly.Outcome) error) error { return parts.each(ctx, s.jobs, s.maxMemory, take) })
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

	reading []string // of the first shuffled part with rows
	readIn  string   // its file
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
			own.Log, own.Experiments, own.Inputs, own.Seed, own.Exec = f.Head.Log, f.Head.Experiments, f.Head.Inputs, f.Head.Seed, f.Head.Exec
			own.Part = f.Head.Part
			if l := pl.s.log; l != nil {
				own.Part, own.Log, own.Experiments, own.Inputs = fragment.Part{}, l.digest, l.Experiments, l.Inputs
			} else if own.Shuffled() {
				return nil, usagef("%s is a fragment of audit --log; give --log log.json to merge too", schemas.Printable(name))
			}
			out.head = own
		}
		if why := own.Foreign(&f.Head); why != "" {
			return nil, &inputError{fmt.Errorf("%s does not belong to the fragments of this audit: %s", schemas.Printable(name), why)}
		}
		if err = out.alike(f, name); err != nil {
			return nil, err
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
	order := func(a, b *outcomePlace) int { return cmp.Compare(a.Index, b.Index) }
	if own.Shuffled() {
		byID := ingest.ByID(out.ids())
		order = func(a, b *outcomePlace) int { return byID(a.ID, b.ID) }
	}
	slices.SortStableFunc(out.places, func(a, b outcomePlace) int { return order(&a, &b) })
	if err = out.whole(pl.s.log); err == nil {
		err = out.apart()
	}
	return out, err
}

// alike refuses a part of which a column was read otherwise than in the others: one audit
// reads it in one way.
func (p *parts) alike(f *fragment.File, name string) error {
	if f.Count == 0 || !f.Head.Shuffled() {
		return nil
	}
	if p.reading == nil {
		p.reading, p.readIn = f.Head.Reading, name
	}
	for i := range max(len(p.reading), len(f.Head.Reading)) {
		var a, b string
		if i < len(p.reading) {
			a = p.reading[i]
		}
		if i < len(f.Head.Reading) {
			b = f.Head.Reading[i]
		}
		if a != b {
			return &inputError{fmt.Errorf("the parts were read differently: %s where %s has %s; have the engine write every part with the types of the log, numbers as numbers", schemas.Printable(p.readIn+": "+a), schemas.Printable(name), schemas.Printable(b))}
		}
	}
	return nil
}

// ids are those of the experiments, by their places.
func (p *parts) ids() []string {
	out := make([]string, len(p.places))
	for i := range p.places {
		out[i] = p.places[i].ID
	}
	return out
}

// apart refuses shuffled parts whose experiments share noise, which audits of parts do
// not see.
func (p *parts) apart() error {
	seen := map[string]string{}
	for i := range p.places {
		at := &p.places[i]
		for _, noise := range at.Prints {
			if other, ok := seen[noise]; ok && other != at.ID {
				return &inputError{fmt.Errorf("experiments %s and %s share noise, which a counter never draws: what follows for them only one audit of the whole log says; audit without --log or with --part I/N", schemas.Named(other), schemas.Named(at.ID))}
			}
			seen[noise] = at.ID
		}
		at.Prints = nil
	}
	return nil
}

// whole says what is doubled or missing; log is that of shuffled parts.
func (p *parts) whole(log *givenLog) error {
	first := map[fragment.Part]string{}
	for i, f := range p.files {
		if other, twice := first[f.Head.Part]; twice && !f.Head.Shuffled() {
			return &inputError{fmt.Errorf("part %s is given twice: %s and %s", f.Head.Part, schemas.Printable(other), schemas.Printable(p.names[i]))}
		}
		first[f.Head.Part] = p.names[i]
	}
	ids := map[string]string{}
	for i, at := range p.places {
		other, twice := ids[at.ID]
		if twice || i > 0 && !p.head.Shuffled() && p.places[i-1].Index == at.Index {
			return &inputError{fmt.Errorf("experiment %s is there twice: in %s and %s; an experiment is never split, all its rows belong into one part", schemas.Named(at.ID), schemas.Printable(cmp.Or(other, p.places[max(0, i-1)].name)), schemas.Printable(at.name))}
		}
		ids[at.ID] = at.name
	}
	if n := p.head.Experiments; len(p.places) != n {
		return &inputError{fmt.Errorf("the fragments hold %s of the %s experiments of the log%s", schemas.Grouped(int64(len(p.places))), schemas.Grouped(int64(n)), p.missing(first, log))}
	}
	if err := log.named(p.ids()); err != nil {
		return err
	}
	if log != nil && len(log.IDs) > 0 && !slices.Equal(log.IDs, p.ids()) {
		return &inputError{fmt.Errorf("the fragments hold other experiments than the log%s", p.missing(first, log))}
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

// missing names the parts that are not there, where all are parts of as many, or the
// experiments.
func (p *parts) missing(has map[fragment.Part]string, log *givenLog) string {
	const most = 20
	n, what := p.files[0].Head.N, "part "
	var out []string
	for i := 0; i < n && len(out) <= most; i++ {
		if _, ok := has[fragment.Part{I: i, N: n}]; !ok {
			out = append(out, fragment.Part{I: i, N: n}.String())
		}
	}
	if log != nil {
		what = "experiment "
		there := map[string]bool{}
		for _, id := range p.ids() {
			there[id] = true
		}
		for _, id := range log.IDs {
			if !there[id] && len(out) <= most {
				out = append(out, schemas.Named(id))
			}
		}
	}
	if len(out) > most {
		out[most] = "…"
	}
	if len(out) == 0 || slices.ContainsFunc(p.files, func(f *fragment.File) bool { return f.Head.N != n }) {
		return ""
	}
	return "; missing: " + what + strings.Join(out, ", ")
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
	slices.SortFunc(m.Fragments, func(a, b fragment.Listed) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.I, b.I), cmp.Compare(a.SHA256, b.SHA256))
	})
	return m
}

// outcomeFactor is how many times its bytes an outcome takes while it is read and written.
const outcomeFactor = 16

// each hands the outcomes over in the order of the log. Some are read ahead, by jobs
// workers where memory allows; beside these only those of the first wave are held, by which
// the claims of all are weighed.
func (p *parts) each(ctx context.Context, jobs int, memory int64, take func(*assembly.Outcome) error) error {
	ahead, err := p.ahead(jobs, memory)
	if err != nil {
		return err
	}
	group, inside := errgroup.WithContext(ctx)
	reads := make(chan chan *assembly.Outcome, ahead)
	group.Go(func() error {
		defer close(reads)
		for i := range p.places {
			read := make(chan *assembly.Outcome, 1)
			select {
			case reads <- read:
			case <-inside.Done():
				return inside.Err()
			}
			group.Go(func() error {
				return recovered(func() error {
					o, err := p.read(i)
					read <- o // nil where there is none
					return err
				})
			})
		}
		return nil
	})
	group.Go(func() error {
		return recovered(func() error { return p.take(inside, reads, memory, take) })
	})
	return group.Wait()
}

// ahead is how many outcomes are read while one is written.
func (p *parts) ahead(jobs int, memory int64) (int, error) {
	largest := int64(1)
	for i := range p.places {
		at := &p.places[i]
		if at.Bytes > memory/outcomeFactor {
			return 0, fmt.Errorf("%w: what was found in experiment %s takes about %d MiB; raise --max-memory", fault.ErrResource, schemas.Named(at.ID), at.Bytes*outcomeFactor>>20)
		}
		largest = max(largest, at.Bytes)
	}
	return int(min(int64(jobs), memory/outcomeFactor/largest)) - 1, nil
}

// take takes the outcomes that were read, in their order.
func (p *parts) take(ctx context.Context, reads chan chan *assembly.Outcome, memory int64, take func(*assembly.Outcome) error) (err error) {
	var first []*assembly.Outcome
	i := 0
	for read := range reads {
		var o *assembly.Outcome
		select {
		case o = <-read:
		case <-ctx.Done(): // also where the reader failed
		}
		if o == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if i < wave {
			first = append(first, o)
		}
		if i == wave-1 || i == len(p.places)-1 && i < wave {
			err, first = affordable(first, len(p.places), memory), nil
		}
		if err == nil {
			err = take(o)
		}
		if internal, ok := errors.AsType[*panicError](err); ok {
			err = &inputError{fmt.Errorf("%s: experiment %s: %v", schemas.Printable(p.places[i].name), schemas.Named(p.places[i].ID), internal.value)}
		}
		if err != nil {
			return err
		}
		i++
	}
	return nil
}

// read reads an outcome, and puts that of a shuffled part to its place in the log.
func (p *parts) read(i int) (*assembly.Outcome, error) {
	at := &p.places[i]
	o, err := at.read()
	if err == nil && p.head.Shuffled() {
		err = fragment.Place(o, at.Index, i)
	}
	if err != nil {
		return nil, &inputError{fmt.Errorf("%s: %w", schemas.Printable(at.name), err)}
	}
	return o, nil
}

func (at *outcomePlace) read() (_ *assembly.Outcome, err error) {
	f, err := os.Open(at.name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return at.Outcome(f)
}
