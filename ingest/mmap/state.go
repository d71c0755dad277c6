package mmap

import (
	"errors"
	"os"
)

// ErrChanged is returned where a file is not what it was when it was opened.
var ErrChanged = errors.New("the file was changed while it was being read")

// SameState reports whether two states are of one file that nobody wrote to in between:
// its identity, size, and the times of its last modification and change. A digest would
// take longer than what is computed from the bytes.
func SameState(a, b os.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b) && sameChange(a, b)
}

// Unchanged returns an error, which wraps ErrChanged, where another file stands at the
// path of Open, none, or the file in another state than when it was opened.
func (f *File) Unchanged() error {
	now, err := os.Stat(f.path)
	if err == nil && SameState(now, f.state) {
		return nil
	}
	return errors.Join(ErrChanged, err)
}
