package tableau

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestEachCallsAll(t *testing.T) {
	tab := &Tableau{}
	for _, n := range []int{0, 1, 2, 1000} {
		called := make([]atomic.Int32, n)
		err := tab.each(n, func(i int) error {
			called[i].Add(1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for i := range called {
			if got := called[i].Load(); got != 1 {
				t.Errorf("%d of %d was called %d times", i, n, got)
			}
		}
	}
}

// The error is that of the least number, even where a larger one fails first.
func TestEachTellsTheFirst(t *testing.T) {
	tab := &Tableau{}
	for range 50 {
		err := tab.each(100, func(i int) error {
			if i == 37 || i == 38 || i > 90 {
				return fmt.Errorf("number %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "number 37" {
			t.Fatalf("got %v", err)
		}
	}
}

// firstError keeps the least, in whatever order errors come.
func TestFirstError(t *testing.T) {
	f := firstError{at: 10}
	var group sync.WaitGroup
	for _, i := range []int{7, 3, 9, 5} {
		group.Go(func() { f.report(i, errors.New(strings.Repeat("x", i))) })
	}
	group.Wait()
	if f.err.Error() != "xxx" || f.before(3) || !f.before(2) {
		t.Errorf("kept %v", f.err)
	}
}
