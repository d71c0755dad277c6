package publiclog

import (
	"context"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/tableau"
)

// Fold runs work over the chunks of a slice with the given number of workers
// and hands the partial results to merge in chunk order. Chunks are worked in
// waves, so that memory is bounded by the number of workers and not by n. A
// panic of work is raised again in the caller's goroutine, where it can be
// recovered.
func Fold[T any](ctx context.Context, s *tableau.Slice, jobs int, work func(chunk int) (T, error), merge func(T)) error {
	w := NewWave(s, jobs, work, func(part T) error {
		merge(part)
		return nil
	})
	for i := range s.Chunks() {
		if err := w.Push(ctx, i); err != nil {
			return err
		}
	}
	return w.Flush(ctx)
}

// EachChunk visits the chunks of a slice in their order.
func EachChunk(ctx context.Context, s *tableau.Slice, visit func(i int, c *tableau.Chunk) error) error {
	return s.Guard(func() error {
		for i := range s.Chunks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := s.Chunk(i)
			if err := visit(i, &c); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachPart runs work for every part at one time. Parts divide something else than the
// chunks, such as the arms.
func EachPart(ctx context.Context, s *tableau.Slice, parts int, work func(part int) error) error {
	w := NewWave(s, parts, func(part int) (struct{}, error) { return struct{}{}, work(part) }, func(struct{}) error { return nil })
	for part := range parts {
		if err := w.Push(ctx, part); err != nil {
			return err
		}
	}
	return w.Flush(ctx)
}

// Wave collects items until there is one for every worker, works them at one
// time, and hands what comes out to merge in the order of the items.
type Wave[I, T any] struct {
	s       *tableau.Slice
	jobs    int
	work    func(I) (T, error)
	Merge   func(T) error
	items   []I
	partial []T
}

// NewWave begins one.
func NewWave[I, T any](s *tableau.Slice, jobs int, work func(I) (T, error), merge func(T) error) *Wave[I, T] {
	jobs = max(1, min(jobs, s.Chunks()))
	return &Wave[I, T]{s: s, jobs: jobs, work: work, Merge: merge, partial: make([]T, jobs)}
}

// Push takes an item, which is kept until a later push or flush.
func (w *Wave[I, T]) Push(ctx context.Context, item I) error {
	w.items = append(w.items, item)
	if len(w.items) < w.jobs {
		return nil
	}
	return w.Flush(ctx)
}

// Flush works the items that wait.
func (w *Wave[I, T]) Flush(ctx context.Context) error {
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
		if err := w.Merge(part); err != nil {
			return err
		}
		w.partial[i] = none // so that it can be collected before the next is made
	}
	w.items = w.items[:0]
	return nil
}

// Ahead prepares the chunks of a slice and hands them to take in their order. With more
// than one worker a chunk is prepared while the one before it is taken, in one of two
// places that are used in turn; prepare must read nothing that take changes. A panic of
// prepare is raised again in the caller's goroutine.
func Ahead[T any](ctx context.Context, s *tableau.Slice, jobs int, prepare, take func(chunk int, part *T) error) error {
	if jobs < 2 || s.Chunks() < 2 {
		var part T
		return s.Guard(func() error {
			for i := range s.Chunks() {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := prepare(i, &part); err != nil {
					return err
				}
				if err := take(i, &part); err != nil {
					return err
				}
			}
			return nil
		})
	}
	p := newPreparer(s, prepare)
	go p.run()
	err := s.Guard(func() error { return p.hand(ctx, take) })
	if p.panicked != nil {
		panic(p.panicked)
	}
	return err
}

// preparer prepares chunks in a goroutine of its own.
type preparer[T any] struct {
	s        *tableau.Slice
	prepare  func(chunk int, part *T) error
	free     chan *T
	ready    chan *T // closed at the end; what ended it is known then
	stop     chan struct{}
	err      error
	panicked any
}

func newPreparer[T any](s *tableau.Slice, prepare func(chunk int, part *T) error) *preparer[T] {
	p := &preparer[T]{s: s, prepare: prepare, free: make(chan *T, 2), ready: make(chan *T), stop: make(chan struct{})}
	p.free <- new(T)
	p.free <- new(T)
	return p
}

func (p *preparer[T]) run() {
	defer close(p.ready)
	defer func() { p.panicked = recover() }()
	for i := range p.s.Chunks() {
		part := <-p.free
		if p.err = p.s.Guard(func() error { return p.prepare(i, part) }); p.err != nil {
			return
		}
		select {
		case <-p.stop:
			return
		case p.ready <- part:
		}
	}
}

// hand hands what is prepared to take. The goroutine has ended when it returns.
func (p *preparer[T]) hand(ctx context.Context, take func(chunk int, part *T) error) error {
	defer func() {
		close(p.stop)
		for part := range p.ready {
			p.free <- part
		}
	}()
	for i := 0; ; i++ {
		part, more := <-p.ready
		if !more {
			return p.err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := take(i, part); err != nil {
			return err
		}
		p.free <- part
	}
}
