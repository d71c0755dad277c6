package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"golang.org/x/sync/errgroup"

	"banditaudit/analyze"
	"banditaudit/ingest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// pipeline is one run over one log: log → tableau → replay → findings.
type pipeline struct {
	p     *process
	s     *settings
	doc   *schemas.Document
	notes notes
}

// newPipeline reads the protocol and says its warnings.
func newPipeline(p *process, s *settings) (*pipeline, error) {
	doc, err := loadProtocol(s.protocol, schemas.LoadOptions{})
	if err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(s.maxMemory) // the collector works harder near it; ingest refuses beyond it
	pl := &pipeline{p: p, s: s, doc: doc, notes: notes{p, s}}
	for _, w := range doc.Warnings {
		pl.notes.warn("%s", w.String())
	}
	return pl, nil
}

// loadProtocol reads a protocol. A file that cannot be read is a mistake of the
// command line, not of the log.
func loadProtocol(path string, o schemas.LoadOptions) (*schemas.Document, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, usagef("%s is not a regular file; -p names a protocol in YAML", path)
	}
	doc, err := schemas.LoadProtocolWith(path, o)
	var problems schemas.Problems
	if err != nil && !errors.As(err, &problems) {
		return nil, usagef("%s", err)
	}
	return doc, err
}

// ingest writes the tableau of the log into dir, which exists and is empty.
func (pl *pipeline) ingest(ctx context.Context, operands []string, dir string) (*schemas.Manifest, error) {
	sources, err := ingest.Discover(operands)
	if err != nil {
		return nil, err
	}
	pl.notes.step("reading %d Parquet files", len(sources))
	bar := newProgress(pl.p, pl.s, "ingest")
	defer bar.end()
	return ingest.Ingest(ctx, &pl.doc.Protocol, sources, dir, ingest.Options{
		Jobs: pl.s.jobs, MaxMemory: pl.s.maxMemory, Tool: tool(), Progress: bar.update,
	})
}

// open maps a tableau, checks its digest and that it was made under this
// protocol's declaration of the log.
func (pl *pipeline) open(dir string) (*tableau.Tableau, *schemas.Manifest, error) {
	t, m, err := ingest.Open(dir)
	if err != nil {
		return nil, nil, &inputError{err}
	}
	b, err := schemas.Encode(m)
	if err == nil {
		err = schemas.ValidateManifest(b)
	}
	if err == nil && m.Protocol != pl.doc.Protocol.LogDigest() {
		err = fmt.Errorf("%s: made under another declaration of experiment, log, arms or reward than %s; run banditaudit ingest with this protocol", dir, pl.s.protocol)
	}
	if err != nil {
		return nil, nil, errors.Join(&inputError{err}, t.Close())
	}
	return t, m, nil
}

// findings analyses every experiment. Each is a pure function of
// the protocol and its slice; they are put together in the manifest's order.
func (pl *pipeline) findings(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, replays []schemas.ReplayExperiment) (*schemas.Results, error) {
	outcomes := make([]*analyze.Outcome, len(m.Experiments))
	outer, inner := pl.split(len(m.Experiments))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(outer)
	for i := range m.Experiments {
		group.Go(func() error {
			return recovered(func() error {
				in := analyze.Input{Protocol: &pl.doc.Protocol, Manifest: m, Index: i, Slice: t.Slice(i), Jobs: inner}
				if replays != nil {
					in.Replay = &replays[i]
				}
				var err error
				outcomes[i], err = analyze.Run(ctx, &in)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, damaged(err)
	}
	effective, err := pl.doc.Effective()
	if err != nil {
		return nil, err
	}
	return analyze.Assemble(tool(), effective, m.Inputs, outcomes), nil
}

// replay runs the declared policy over every experiment.
func (pl *pipeline) replay(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest) ([]schemas.ReplayExperiment, error) {
	replays := make([]schemas.ReplayExperiment, len(m.Experiments))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(pl.s.jobs)
	for i := range m.Experiments {
		group.Go(func() error {
			return recovered(func() error {
				var err error
				// The run's ledger is in the outcome; a teacher-forced replay with
				// the logged seed releases nothing new, so its book is not kept.
				replays[i], err = conformance.Run(ctx, &pl.doc.Protocol, m.Arms, t.Slice(i), &ledger.Disclosures{}, nil)
				return err
			})
		})
	}
	return replays, damaged(group.Wait())
}

// recovered runs work in a goroutine's place and gives its panic back as an
// error: nothing above a goroutine can recover for it.
func recovered(work func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, string(debug.Stack())}
		}
	}()
	return work()
}

// split shares the jobs between experiments and the chunks of one experiment.
func (pl *pipeline) split(experiments int) (outer, inner int) {
	outer = max(1, min(pl.s.jobs, experiments))
	return outer, max(1, pl.s.jobs/outer)
}

// damaged marks an error of a mapped tableau as one of the input.
func damaged(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var (
		problems schemas.Problems
		fault    *replay.Fault
		output   *outputError
		internal *panicError
	)
	if errors.As(err, &internal) || errors.As(err, &problems) || errors.As(err, &fault) || errors.As(err, &output) {
		return err
	}
	return &inputError{err}
}

// scratch is a directory for the tableau of an audit: a private temporary one
// that is removed, or the one that --keep-tableau names.
type scratch struct {
	dir  string
	keep *outputDir
}

func newScratch(s *settings) (*scratch, error) {
	if s.keepTableau != "" {
		d, err := newOutputDir(s.keepTableau, s.force)
		if err != nil {
			return nil, err
		}
		return &scratch{dir: d.temp, keep: d}, nil
	}
	dir, err := os.MkdirTemp("", "banditaudit-tableau-")
	return &scratch{dir: dir}, notWritten(err)
}

// finish gives a kept tableau its name.
func (s *scratch) finish() error {
	if s.keep == nil {
		return nil
	}
	return s.keep.commit()
}

func (s *scratch) discard() error {
	if s.keep != nil {
		return s.keep.discard()
	}
	return os.RemoveAll(s.dir)
}

// encodeTo writes a document as a file of an output directory.
func encodeTo(dir *outputDir, name string, document any) error {
	b, err := schemas.Encode(document)
	if err != nil {
		return err
	}
	return dir.write(filepath.FromSlash(name), b)
}
