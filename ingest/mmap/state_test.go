//go:build linux

package mmap

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A file that was written to is not in the same state, even if its size is the
// same and its modification time was set back; one that was read is.
func TestSameState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	read, err := os.Stat(path)
	if err != nil || !SameState(before, read) {
		t.Errorf("reading changed the state: %v", err)
	}
	time.Sleep(50 * time.Millisecond) // longer than a tick of the clock of file systems
	if err = os.WriteFile(path, []byte("after!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err = os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !after.ModTime().Equal(before.ModTime()) || after.Size() != before.Size() {
		t.Fatal("the test shows nothing")
	}
	if SameState(before, after) {
		t.Error("a file that was written to counts as unchanged")
	}
}
