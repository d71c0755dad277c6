//go:build linux

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"banditaudit/cmd/kit"
)

// smallDisk mounts a file system of the given size, or skips where this
// process may not mount one.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a full disk needs a small file system, and mounting one needs root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) }) // the directory's own removal reports a failure
	return dir
}

// TestFullDisk fills the disk of the output, and that of the tableau: exit 5,
// and nothing under its final name or left behind.
func TestFullDisk(t *testing.T) {
	small := smallDisk(t, "200k")
	home := filepath.Join(root, "testdata", "homepage")
	audit := func(out string) int {
		code, _, _ := run(t, "audit", "-p", filepath.Join(home, "protocol.yaml"), "-o", out, filepath.Join(home, "log"))
		return code
	}
	if code := audit(filepath.Join(small, "out")); code != kit.ExitNotWritten {
		t.Errorf("full output: exit %d, want %d", code, kit.ExitNotWritten)
	}
	if left := names(t, small); left != "out.failed.json" {
		t.Errorf("full output: left %q", left)
	}
	if err := os.Remove(filepath.Join(small, "out.failed.json")); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	t.Setenv("TMPDIR", small)
	if code := audit(filepath.Join(work, "out")); code != kit.ExitNotWritten {
		t.Errorf("full TMPDIR: exit %d, want %d", code, kit.ExitNotWritten)
	}
	if left := names(t, work) + names(t, small); left != "out.failed.json" {
		t.Errorf("full TMPDIR: left %q", left)
	}
}
