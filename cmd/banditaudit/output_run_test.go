package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// TestPrivateOutput: what replaces a directory is no more readable than it was, nor is the
// record of a run that failed to.
func TestPrivateOutput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	kittest.Tree(t, out, "results.json", "_SUCCESS")
	if err := os.Chmod(out, 0o710); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "audit", "--force", "-p", filepath.Join(root, "testdata", "homepage", "protocol.yaml"), "-o", out, "nothing"); code != kit.ExitInput {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	d, err := kit.NewOutputDir(out, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{out: 0o710, failureFile(out): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestNoPlaceIsSaidOnce: where neither the output nor the record of its failure can be
// made, for one reason, the reason is said once.
func TestNoPlaceIsSaidOnce(t *testing.T) {
	const none = "/proc/none" // a directory in which nobody can make one
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skipf("there is no such place here: %v", err)
	}
	home := filepath.Join(root, "testdata", "homepage")
	code, _, said := run(t, "audit", "-p", filepath.Join(home, "protocol.yaml"), "-o", none+"/out", filepath.Join(home, "log"))
	if code != kit.ExitNotWritten || strings.Count(said, none) != 1 {
		t.Errorf("exit %d: %s", code, said)
	}
}
