package kit

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// failing fails every write with its error.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPrinting(t *testing.T) {
	gone := &printing{to: failing{fmt.Errorf("write: %w", syscall.EPIPE)}}
	full := &printing{to: failing{syscall.ENOSPC}}
	for range 2 {
		if n, err := gone.Write([]byte("abc")); n != 3 || err != nil || gone.err != nil {
			t.Errorf("reader gone: %d, %v, kept %v", n, err, gone.err)
		}
		if _, err := full.Write([]byte("abc")); !errors.Is(err, syscall.ENOSPC) || !errors.Is(full.err, syscall.ENOSPC) {
			t.Errorf("full disk: %v, kept %v", err, full.err)
		}
	}
}
