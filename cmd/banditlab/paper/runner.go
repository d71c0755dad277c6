package paper

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"banditaudit/replay"
)

// runner runs replications of settings.
type runner struct {
	ctx        context.Context //nolint:containedctx // of one call of Run
	size       string
	master     [32]byte
	jobs       int
	experiment string
	rounds     int64 // of a replication of the present setting

	mu          sync.Mutex
	progress    func(done, total int64)
	done, total int64
}

// pick returns full or short, by the size of the reproduction.
func pick[N any](size string, full, short N) N {
	if size == Short {
		return short
	}
	return full
}

// name is the experiment's id in the streams of one replication.
func (r *runner) name(setting string, replication int64) string {
	return r.experiment + "/" + setting + "/" + strconv.FormatInt(replication, 10)
}

// source returns the stream of one replication of a setting with a purpose.
func (r *runner) source(purpose, setting string, replication int64) rand.Source {
	return replay.Stream(r.master, purpose, r.name(setting, replication), replay.NoArm)
}

// chunk is the number of replications that are folded at a time. It is fixed, so
// that sums are taken in the same order for any number of jobs.
const chunk = 25

// replicate calls one for replications 0 … n−1, each chunk with an accumulator
// of its own, and folds these in order into the first. fresh makes an
// accumulator; one must touch nothing else.
func replicate[A any](r *runner, n int64, fresh func() A, one func(acc A, replication int64) error, fold func(into, from A)) (A, error) {
	parts := make([]A, (n+chunk-1)/chunk)
	g, ctx := errgroup.WithContext(r.ctx)
	g.SetLimit(r.jobs)
	for i := range parts {
		g.Go(func() error {
			acc := fresh()
			parts[i] = acc
			from := int64(i) * chunk
			to := min(n, from+chunk)
			for replication := from; replication < to; replication++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := one(acc, replication); err != nil {
					return err
				}
			}
			r.told((to - from) * r.rounds)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		var none A
		return none, err
	}
	out := fresh()
	for _, part := range parts {
		fold(out, part)
	}
	return out, nil
}

// told adds to what is done.
func (r *runner) told(more int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += more
	if r.progress != nil {
		r.progress(r.done, r.total)
	}
}
