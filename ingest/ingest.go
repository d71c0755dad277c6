package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Names of the files that Ingest writes.
const (
	RoundsFile   = "rounds.arrow"
	ManifestFile = "manifest.json"
)

// Ingest reads the log in src by the mapping and the rules of p and writes
// rounds.arrow and manifest.json to dir, which must exist and hold neither. It
// returns the manifest. Equal logs, protocols and Options.Tool give equal
// bytes. Whatever breaks a rule is reported at once, after all files were read
// to their end, and nothing is left in dir. Errors are *InputError, several of
// them joined (exit code 4); or wrap ErrResource (6), ErrProtocol (2), the
// context's error, or what the file system said when writing. The caller makes
// dir appear whole or not at all.
func Ingest(ctx context.Context, p *schemas.Protocol, src []Source, dir string, o Options) (*schemas.Manifest, error) {
	f := &faults{}
	l, err := openLog(ctx, p, src, o.budget(), f)
	if err != nil {
		return nil, err
	}
	if f.any() {
		return nil, f.err()
	}
	r := &run{p: p, log: l, faults: f, dir: dir, options: o}
	if err := r.digestAndRead(ctx); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	l.unchanged()
	if f.any() {
		return nil, errors.Join(f.err(), r.discard())
	}
	return r.finish()
}

// run is one run of Ingest.
type run struct {
	p       *schemas.Protocol
	log     *logFiles
	faults  *faults
	dir     string
	options Options
	done    int64

	first   *firstPass
	convert *converter
	rank    []int32  // by experiment in order of first appearance
	ids     []string // by index in the tableau
	writer  *tableau.Writer
}

// digestAndRead computes the inputs' digests and makes the passes: one after
// the other, or side by side when there are two jobs. The passes stay on this
// goroutine, so that a panic of theirs reaches the caller.
func (r *run) digestAndRead(ctx context.Context) error {
	group, gctx := errgroup.WithContext(ctx)
	stop := func() error { return stopped(gctx) }
	group.Go(func() error { return r.log.digest(stop) })
	if r.options.Jobs < 2 {
		if err := group.Wait(); err != nil {
			return err
		}
		return r.read(ctx)
	}
	err := r.read(gctx)
	return errors.Join(err, group.Wait())
}

// stopped reports whether the run was cancelled.
func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	return nil
}

// progress reports rows read, of two passes.
func (r *run) progress(rows int64) {
	r.done += rows
	if r.options.Progress != nil {
		r.options.Progress(r.done, 2*r.log.rows)
	}
}

// read makes both passes. Faults are in the collector.
func (r *run) read(ctx context.Context) error {
	r.first = newFirstPass(r.p, r.log)
	if err := r.first.run(ctx, r.progress); err != nil {
		return err
	}
	length, err := listLength(r.log)
	if err != nil {
		return err
	}
	r.rank, r.ids = ranks(r.first.experiments.names)
	arms := r.p.Arms
	if r.first.arms != nil {
		arms = sortedLabels(r.first.arms.names)
	}
	r.convert = newConverter(r.p, r.log, r.first.experiments, newLabels(arms), length)
	s := &scanner{log: r.log, list: length, progress: r.progress, ask: func(w *want) bool { return w.role != roleOrder }}
	switch {
	case r.faults.any(): // the rest of the rules is still to be checked
		return s.scan(ctx, func(b *rows) error { r.convert.block(b); return nil })
	case r.first.sorted:
		return r.stream(ctx, s)
	default:
		return r.sort(ctx, s)
	}
}

// open creates the tableau's writer, whose pending batch is booked.
func (r *run) open() error {
	schema := tableau.Schema{Propensity: r.p.Log.Propensity != "", ContextDim: len(r.convert.out.x)}
	if err := r.log.budget.Take(schema.RowBytes() * tableau.BatchRows); err != nil {
		return fmt.Errorf("ingest: a tableau with %d context columns: %w: %w; raise --max-memory, or declare fewer", schema.ContextDim, ErrResource, err)
	}
	w, err := tableau.NewWriter(filepath.Join(r.dir, RoundsFile), schema)
	if err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	r.writer = w
	return nil
}

// stream writes rows that come in order.
func (r *run) stream(ctx context.Context, s *scanner) error {
	if err := r.open(); err != nil {
		return err
	}
	e := newEmitter(r.writer, r.rank)
	return s.scan(ctx, func(b *rows) error {
		c := r.convert.block(b)
		if r.faults.any() {
			return nil // nothing will be written, but the rest is still to be checked
		}
		return e.add(c)
	})
}

// sort reads all rows, and writes them in order.
func (r *run) sort(ctx context.Context, s *scanner) error {
	all, err := newSorter(r.log, r.first.keys, r.rank, r.convert)
	if err != nil {
		return err
	}
	s.ask = func(*want) bool { return true }
	err = s.scan(ctx, func(b *rows) error {
		c := r.convert.block(b)
		if r.faults.any() {
			return nil
		}
		return all.add(b, c)
	})
	if err != nil || r.faults.any() {
		return err
	}
	all.sort()
	clear(r.first.gaps)
	r.first.ties.reset()
	all.inspect(&r.first.ties, r.first.gaps, r.first.counting)
	if r.faults.any() {
		return nil
	}
	if err := r.open(); err != nil {
		return err
	}
	return all.emit(func() error { return stopped(ctx) }, newEmitter(r.writer, r.rank).add)
}

// discard removes what was written.
func (r *run) discard() error {
	if r.writer == nil {
		return nil
	}
	return r.writer.Discard()
}

// finish closes the tableau and writes the manifest.
func (r *run) finish() (*schemas.Manifest, error) {
	sha, err := r.writer.Close()
	if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	m := r.manifest(sha)
	if err := writeManifest(filepath.Join(r.dir, ManifestFile), m); err != nil {
		return nil, errors.Join(err, os.Remove(filepath.Join(r.dir, RoundsFile)))
	}
	return m, nil
}
