//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"banditaudit/cmd/kit"
)

// TestUnprintedOutput gives the commands that write an output a stdout that
// takes nothing: exit 5, and no output, so that the retry for which 5 asks
// succeeds. What --force would have replaced is still there.
func TestUnprintedOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	defer full.Close()
	protocol := filepath.Join("sim", "protocol.yaml")
	for _, c := range []struct {
		out  string
		args []string
	}{
		{"sim", []string{"simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "bernoulli", "--means", "0.4,0.6", "--rounds", "50", "-o", "sim"}},
		{"tab", []string{"ingest", "-p", protocol, "-o", "tab", filepath.Join("sim", "log")}},
		{"rep", []string{"replay", "-p", protocol, "-t", "tab", "-o", "rep"}},
		{"r.json", []string{"analyze", "-p", protocol, "-t", "tab", "--replay", "rep", "-o", "r.json"}},
		{"k", []string{"keygen", "-o", "k"}},
		{"c.json", []string{"commit", "-p", protocol, "--key", "k", "-o", "c.json"}},
		{"page", []string{"report", "-o", "page", "r.json"}},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			if c.out == "page" && more != nil {
				continue // report prints no document
			}
			args := append(append([]string{}, c.args...), more...)
			before := names(t, ".")
			p := &kit.Process{Stdout: full, Stderr: &bytes.Buffer{}, Now: time.Now}
			if code := programOf(args).Execute(t.Context(), p, args); code != kit.ExitNotWritten {
				t.Errorf("%q: exit %d, want %d", args, code, kit.ExitNotWritten)
			}
			if after := names(t, "."); after != before {
				t.Errorf("%q: %s became %s", args, before, after)
			}
		}
		if code, _, stderr := run(t, c.args...); code != kit.ExitOK {
			t.Fatalf("retry of %q: exit %d\n%s", c.args, code, stderr)
		}
		info, err := os.Stat(c.out)
		if err != nil {
			t.Fatal(err)
		}
		p := &kit.Process{Stdout: full, Stderr: &bytes.Buffer{}, Now: time.Now}
		if code := programOf(c.args).Execute(t.Context(), p, append(c.args, "--force")); code != kit.ExitNotWritten {
			t.Errorf("%q with --force: exit %d, want %d", c.args, code, kit.ExitNotWritten)
		}
		if still, err := os.Stat(c.out); err != nil || !os.SameFile(info, still) {
			t.Errorf("%q with --force: what stood there is gone: %v", c.args, err)
		}
	}
}
