package layout

import (
	"bytes"
	"errors"
	"syscall"
	"testing"
)

func TestUnpadded(t *testing.T) {
	var b bytes.Buffer
	u := &unpadded{to: &b}
	for _, part := range []string{"a ", " \n", " b", "  c\n   \nd", "  ", "\n"} {
		if n, err := u.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("%q: %d, %v", part, n, err)
		}
	}
	if b.String() != "a\n b  c\n\nd\n" {
		t.Errorf("wrote %q", b.String())
	}
	if _, err := (&unpadded{to: failing{syscall.ENOSPC}}).Write([]byte("a\n")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error lost: %v", err)
	}
}

// failing fails every write with its error.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
