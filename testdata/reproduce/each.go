package reproduce

import (
	"runtime"
	"sync"
)

// Each calls run for 0 … n−1 on all processors and keeps the results in order;
// the first error, in that order, is returned.
func Each[T any](n int, run func(i int) (T, error)) ([]T, error) {
	out, errs := make([]T, n), make([]error, n)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = run(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
