package ingest

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// DefaultMaxMemory is the limit on memory when none is given: 512 MiB.
const DefaultMaxMemory = 512 << 20

// Options are the settings of Ingest that the log and the protocol do not
// decide.
type Options struct {
	Jobs int          // goroutines; the bytes written do not depend on it. Defaults to 1.
	Tool schemas.Tool // goes to the manifest
	// MaxMemory bounds the anonymous memory of the process, in bytes; the mapped
	// tableau does not count. Buffers, labels, and rows when they have to be
	// sorted, take at most three quarters of it; what is left is for the runtime:
	// blocks of rows, stacks, and what the garbage collector has not freed yet.
	// The collector keeps to the bound only where the caller has set it with
	// debug.SetMemoryLimit too. Defaults to DefaultMaxMemory.
	MaxMemory int64
	// Progress, where it is not nil, is called now and then from one goroutine
	// with the rows done and the rows to do, over all walks over the log: two
	// passes, one more where the rows are sorted, and those that number units and
	// the rounds of rewards. What is to do grows once, after the first pass, where
	// the rows turn out to be in no order.
	Progress func(done, total int64)
	// At, where it is not nil, says where a key stands, as "p.yaml:7:3", for messages on
	// columns that the log does not have.
	At func(key string) string
	// Roles are the columns that a protocol may ask for. Defaults to role.All.
	Roles role.List

	sortMemory int64 // of every sort, where it is not 0: tests make it small
}

// Budget is the part of MaxMemory that is booked.
func (o *Options) Budget() int64 {
	limit := int64(DefaultMaxMemory)
	if o.MaxMemory > 0 {
		limit = o.MaxMemory
	}
	return limit - limit/4
}

func (o *Options) roles() role.List {
	if o.Roles == nil {
		return role.All()
	}
	return o.Roles
}

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
	l, err := newLogFiles(p, o.roles(), o.Budget(), f)
	if err != nil {
		return nil, err
	}
	if err := l.openLog(ctx, src); err != nil {
		return nil, err
	}
	l.filled()
	if f.Any() {
		return nil, f.Err()
	}
	l.jobs = o.Jobs
	r := &intake{p: p, log: l, faults: f, dir: dir, options: o}
	if err := r.digestAndRead(ctx); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	r.convert.close()
	l.copies()
	l.unchanged()
	if f.Any() {
		return nil, errors.Join(f.Err(), r.discard())
	}
	if err := fault.Stopped(ctx); err != nil {
		return nil, errors.Join(err, r.discard())
	}
	return r.finish(ctx)
}

// intake is one intake of Ingest.
type intake struct {
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
	strata  *strataNumbers // nil where policy.by names no column
	times   *timeRule      // nil where times are not kept
	unitsBy *unitRows
	writer  *tableau.Writer
	units   *tableau.UnitsWriter
	booked  int64 // for the writers
}

// digestAndRead computes the inputs' digests and makes the passes: one after
// the other, or side by side when there are two jobs. The passes stay on this
// goroutine, so that a panic of theirs reaches the caller.
func (r *intake) digestAndRead(ctx context.Context) error {
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
func (r *intake) progress(rows int64) {
	r.done += rows
	if r.options.Progress != nil {
		r.options.Progress(min(r.done, r.walks*r.log.rows), r.walks*r.log.rows)
	}
}
