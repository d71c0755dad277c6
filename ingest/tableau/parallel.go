package tableau

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls work for 0 to n−1 on as many goroutines as the process may run at
// once, each under a guard, and returns the error of the least number that had
// one. What is beyond it may not have been called.
func (t *Tableau) each(n int, work func(i int) error) error {
	jobs := min(n, runtime.GOMAXPROCS(0))
	var next atomic.Int64
	failed := firstError{at: n}
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := int(next.Add(1) - 1); failed.before(i); i = int(next.Add(1) - 1) {
				if err := t.Guard(func() error { return work(i) }); err != nil {
					failed.report(i, err)
				}
			}
		})
	}
	group.Wait()
	return failed.err
}

// firstError keeps the error of the least number, which is below at.
type firstError struct {
	mu  sync.Mutex
	at  int
	err error
}

// before reports whether i comes before every number that had an error.
func (f *firstError) before(i int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return i < f.at
}

func (f *firstError) report(i int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i < f.at {
		f.at, f.err = i, err
	}
}
