//go:build unix

package tableau

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is refused before it is opened, which would wait for a writer.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("this file system makes no named pipes: ", err)
	}
	s, _ := sample(false, 0, 1)
	if _, err := Open(path, s); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}
