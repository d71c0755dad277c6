package analyze

import (
	"context"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/tableau"
)

// fold runs work over the chunks of a slice with the given number of workers
// and hands the partial results to merge in chunk order. Chunks are worked in
// waves, so that memory is bounded by the number of workers and not by n. A
// panic of work is raised again in the caller's goroutine, where it can be
// recovered.
func fold[T any](ctx context.Context, s *tableau.Slice, jobs int, work func(chunk int) (T, error), merge func(T)) error {
	w := newWave(s, jobs, work, func(part T) error {
		merge(part)
		return nil
	})
	for i := range s.Chunks() {
		if err := w.push(ctx, i); err != nil {
			return err
		}
	}
	return w.flush(ctx)
}

// wave collects items until there is one for every worker, works them at one
// time, and hands what comes out to merge in the order of the items.
type wave[I, T any] struct {
	s       *tableau.Slice
	jobs    int
	work    func(I) (T, error)
	merge   func(T) error
	items   []I
	partial []T
}

func newWave[I, T any](s *tableau.Slice, jobs int, work func(I) (T, error), merge func(T) error) *wave[I, T] {
	jobs = max(1, min(jobs, s.Chunks()))
	return &wave[I, T]{s: s, jobs: jobs, work: work, merge: merge, partial: make([]T, jobs)}
}

// push takes an item, which is kept until a later push or flush.
func (w *wave[I, T]) push(ctx context.Context, item I) error {
	w.items = append(w.items, item)
	if len(w.items) < w.jobs {
		return nil
	}
	return w.flush(ctx)
}

// flush works the items that wait.
func (w *wave[I, T]) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var group errgroup.Group
	panics := make([]any, len(w.items))
	for i := range w.items {
		group.Go(func() (err error) {
			defer func() { panics[i] = recover() }()
			return w.s.Guard(func() (err error) {
				w.partial[i], err = w.work(w.items[i])
				return err
			})
		})
	}
	err := group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	if err != nil {
		return err
	}
	var none T
	for i, part := range w.partial[:len(w.items)] {
		if err := w.merge(part); err != nil {
			return err
		}
		w.partial[i] = none // so that it can be collected before the next is made
	}
	w.items = w.items[:0]
	return nil
}
