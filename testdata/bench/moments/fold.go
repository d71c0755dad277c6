package main

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// inOrder works pieces 0…n−1 with so many goroutines, each taking the next one
// that is free, and hands the results to merge in the order of the pieces.
func inOrder(workers, n int, work func(ctx context.Context, piece int) (*part, error), merge func(*part)) error {
	group, ctx := errgroup.WithContext(context.Background())
	next := make(chan int)
	results := make([]chan *part, n)
	for i := range results {
		results[i] = make(chan *part, 1)
	}
	group.Go(func() error {
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			for i := range next {
				p, err := work(ctx, i)
				if err != nil {
					return err
				}
				results[i] <- p
			}
			return nil
		})
	}
	group.Go(func() error {
		for i := range n {
			select {
			case p := <-results[i]:
				merge(p)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}
