package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"banditaudit/cmd/kit"
)

// TestReadDocument refuses what would give bytes without end.
func TestReadDocument(t *testing.T) {
	work := t.TempDir()
	fifo := filepath.Join(work, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, work, "/dev/null", filepath.Join(work, "missing")} {
		if _, err := kit.ReadDocument(path); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	file := filepath.Join(work, "file")
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := kit.ReadDocument(file); err != nil || string(b) != "{}" {
		t.Errorf("%s: %q, %v", file, b, err)
	}
}
