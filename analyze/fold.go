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
	n := s.Chunks()
	jobs = max(1, min(jobs, n))
	partial := make([]T, jobs)
	for start := 0; start < n; start += jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		wave := min(jobs, n-start)
		var group errgroup.Group
		panics := make([]any, wave)
		for i := range wave {
			group.Go(func() (err error) {
				defer func() { panics[i] = recover() }()
				return s.Guard(func() (err error) {
					partial[i], err = work(start + i)
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
		for _, p := range partial[:wave] {
			merge(p)
		}
	}
	return nil
}
