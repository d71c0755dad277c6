package ingest

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Ingest reads the log in src by the mapping and the rules of p and writes
// rounds.arrow, manifest.json and, where p declares a unit, units.arrow to dir,
// which must exist and hold none of them. It returns the manifest. Rows that are
// not in order are sorted; what does not fit in memory goes to a temporary file
// in dir that has no name, so that nothing is left of it. Equal logs, protocols
// and Options.Tool give equal bytes. Whatever breaks a rule is reported at once,
// after all files were read to their end, and nothing is left in dir. Errors are
// *InputError, several of them joined (exit code 4); or wrap ErrResource (6),
// ErrNotWritten (5), ErrProtocol (2) or the context's error. The caller makes dir appear whole or not at all.
func Ingest(ctx context.Context, p *schemas.Protocol, src []files.Source, dir string, o Options) (*schemas.Manifest, error) {
	f := &fault.List{At: o.At}
	l, err := openLog(ctx, p, src, o.Budget(), f)
	if err != nil {
		return nil, err
	}
	if f.Any() {
		return nil, f.Err()
	}
	l.jobs = o.Jobs
	r := &run{p: p, log: l, faults: f, dir: dir, options: o}
	if err := r.digestAndRead(ctx); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	r.convert.close()
	l.unchanged()
	if f.Any() {
		return nil, errors.Join(f.Err(), r.discard())
	}
	if err := fault.Stopped(ctx); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	return r.finish(ctx)
}

// run is one run of Ingest.
type run struct {
	p       *schemas.Protocol
	log     *logFiles
	faults  *fault.List
	dir     string
	options Options
	done    int64
	walks   int64 // over all rows, that the run makes

	first   *firstPass
	beside  beside
	convert *converter
	rank    []int32  // by experiment in order of first appearance
	ids     []string // by index in the tableau
	batches *batchNumbers
	times   *timeRule // nil where times are not kept
	unitsBy *unitRows
	writer  *tableau.Writer
	units   *tableau.UnitsWriter
	booked  int64 // for the writers
}

// digestAndRead computes the inputs' digests and makes the passes: one after
// the other, or side by side when there are two jobs. The passes stay on this
// goroutine, so that a panic of theirs reaches the caller.
func (r *run) digestAndRead(ctx context.Context) error {
	group, gctx := errgroup.WithContext(ctx)
	stop := func() error { return fault.Stopped(gctx) }
	if r.options.Jobs < 2 {
		stop = r.hashing(stop)
	}
	group.Go(func() error { return r.log.digest(stop) })
	if r.options.Jobs < 2 {
		if err := group.Wait(); err != nil {
			return err
		}
		return r.read(ctx)
	}
	err := r.read(gctx)
	hashed := group.Wait()
	if hashed != nil && errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return hashed // which stopped the passes
	}
	return errors.Join(err, hashed)
}

// progress reports rows read, written or numbered, of all walks over the rows.
func (r *run) progress(rows int64) {
	r.done += rows
	if r.options.Progress != nil {
		r.options.Progress(min(r.done, r.walks*r.log.rows), r.walks*r.log.rows)
	}
}
