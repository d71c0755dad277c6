package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/ingest"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableaudir"
	"banditaudit/report/digest"
	"banditaudit/schemas"
)

func mergeCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "the bundle of an audit from its parts",
		UsageText: "banditaudit merge -p protocol.yaml [--log log.json] -o DIR FRAG...",
		Description: kit.Manual(`Puts the fragments of audit --part, or of audit --log, together: the same results,
report, figures and tables as one audit of the whole log writes, byte for byte, and the
same exit code. What is missing, doubled or of something else ends it with 4 (help parts).`,
			"banditaudit merge -p protocol.yaml -o out frag/*.frag",
			"banditaudit merge -p protocol.yaml --log log.json -o out frag/*.frag",
			"banditaudit merge -p protocol.yaml -o out --force --fail-on caution frag/*.frag"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force fail-on",
			logFlag("the fragments are of audit --log `FILE`"),
			&cli.BoolFlag{Name: "openlineage", EnvVars: kit.Variable("OPENLINEAGE"), Usage: "write openlineage.json too, an event for a data catalogue"},
			&cli.StringFlag{Name: "commitment", EnvVars: kit.Variable("COMMITMENT"), Usage: "`FILE` that the parts were held against"},
			commitmentKeyFlag()),
		Action: action(p, needs{protocol: true, out: true, operands: "fragments, which audit --part or --log wrote", merges: true}, func(c *cli.Context, p *process, s *settings) (err error) {
			s.openLineage = c.Bool("openlineage")
			if c.IsSet("log") {
				if s.log, err = readWhole(c.String("log")); err != nil {
					return err
				}
			}
			if s.commitment, err = bundle.ReadCommitment(c.String("commitment"), c.String("commitment-key")); err != nil {
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
	if names, err = kit.Matched(names, ""); err != nil {
		return overall, err
	}
	pl, err := newPipeline(p, s)
	if err != nil {
		return overall, err
	}
	if pl.committed, err = s.commitment.Judge(p.catalogue.Format(), pl.doc); err != nil {
		return overall, err
	}
	if err = kit.CheckApart(s.Out, append(slices.Clone(names), s.Protocol, pl.doc.SeedFile()), nil); err != nil {
		return overall, err
	}
	parts, err := pl.gather(ctx, names)
	if err != nil {
		return overall, err
	}
	run.rows = parts.Head.Rows()
	run.lap("fragments")
	return pl.bundled(ctx, run, func(dir *kit.OutputDir) (*digest.Digest, error) {
		if err := encodeTo(dir, tableaudir.ManifestFile, parts.Manifest()); err != nil {
			return nil, err
		}
		d, err := pl.findInto(dir, parts.Head.Inputs, func(take func(*aggregate.Outcome) error) error { return parts.each(ctx, s.Jobs, s.MaxMemory, take) })
		run.lap("merge")
		if internal, ok := errors.AsType[*kit.PanicError](err); ok && internal.Stack == "" { // no panic: what the fragments hold is no results
			err = kit.BadInput(fmt.Errorf("what the fragments hold fits together to no results: %v; make the parts again", internal.Value))
		}
		return d, err
	})
}

// gather reads all fragments once, and refuses what is not one whole audit.
func (pl *pipeline) gather(ctx context.Context, names []string) (*parts, error) {
	out := &parts{}
	for _, name := range names {
		f, err := readFragment(name)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		if out.Head == nil {
			if out.Head, err = pl.headOf(f, name); err != nil {
				return nil, err
			}
		}
		if err = out.Add(name, f); err != nil {
			return nil, kit.BadInput(err)
		}
	}
	var known []string
	if l := pl.s.log; l != nil {
		known = l.IDs
	}
	if err := out.Whole(ingest.ByID, known); err != nil {
		return nil, kit.BadInput(err)
	}
	return out, pl.s.log.named(out.IDs())
}

// headOf is what all fragments must have. What only they know is the first one's.
func (pl *pipeline) headOf(f *shard.File, name string) (*shard.Head, error) {
	own, err := pl.head()
	if err != nil {
		return nil, err
	}
	own.Part, own.Log, own.Experiments, own.Inputs, own.Seed, own.Exec = f.Head.Part, f.Head.Log, f.Head.Experiments, f.Head.Inputs, f.Head.Seed, f.Head.Exec
	if l := pl.s.log; l != nil {
		own.Part, own.Log, own.Experiments, own.Inputs = shard.Part{}, l.digest, l.Experiments, l.Inputs
	} else if own.Shuffled() {
		return nil, kit.Usagef("%s is a fragment of audit --log; give --log log.json to merge too", schemas.Printable(name))
	}
	return own, nil
}

// parts are the fragments of one audit.
type parts struct{ shard.Set }

// outcomeFactor is how many times its bytes an outcome takes while it is read and written.
const outcomeFactor = 16

// each hands the outcomes over in the order of the log. Some are read ahead, by jobs
// workers where memory allows; beside these none is held.
func (p *parts) each(ctx context.Context, jobs int, memory int64, take func(*aggregate.Outcome) error) error {
	ahead, err := p.ahead(jobs, memory)
	if err != nil {
		return err
	}
	group, inside := errgroup.WithContext(ctx)
	reads := make(chan chan *aggregate.Outcome, ahead)
	group.Go(func() error {
		defer close(reads)
		for i := range p.Places {
			read := make(chan *aggregate.Outcome, 1)
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
		return recovered(func() error { return p.take(inside, reads, take) })
	})
	return group.Wait()
}

// ahead is how many outcomes are read while one is written.
func (p *parts) ahead(jobs int, memory int64) (int, error) {
	largest := int64(1)
	for i := range p.Places {
		at := &p.Places[i]
		if at.Bytes > memory/outcomeFactor {
			return 0, fmt.Errorf("%w: what was found in experiment %s takes about %d MiB; raise --max-memory", fault.ErrResource, schemas.Named(at.ID), at.Bytes*outcomeFactor>>20)
		}
		largest = max(largest, at.Bytes)
	}
	return int(min(int64(jobs), memory/outcomeFactor/largest)) - 1, nil
}

// take takes the outcomes that were read, in their order.
func (p *parts) take(ctx context.Context, reads chan chan *aggregate.Outcome, take func(*aggregate.Outcome) error) (err error) {
	i := 0
	for read := range reads {
		var o *aggregate.Outcome
		select {
		case o = <-read:
		case <-ctx.Done(): // also where the reader failed
		}
		if o == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		err = take(o)
		if internal, ok := errors.AsType[*kit.PanicError](err); ok {
			err = kit.BadInput(fmt.Errorf("%s: experiment %s: %v", schemas.Printable(p.Places[i].Name), schemas.Named(p.Places[i].ID), internal.Value))
		}
		if err != nil {
			return err
		}
		i++
	}
	return nil
}

// read reads an outcome, and puts an outcome of a shuffled part to its place in the log.
func (p *parts) read(i int) (*aggregate.Outcome, error) {
	at := &p.Places[i]
	o, err := outcomeAt(at)
	if err == nil && p.Head.Shuffled() {
		err = shard.Move(o, at.Index, i)
	}
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s: %w", schemas.Printable(at.Name), err))
	}
	return o, nil
}

func outcomeAt(at *shard.Placed) (_ *aggregate.Outcome, err error) {
	f, err := os.Open(at.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return at.Outcome(f)
}
