package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditaudit/cmd/kit"
)

// TestInterruptedSearch interrupts commands before they have found the log: each
// says so with its exit code, and none takes it for a fault of the log.
func TestInterruptedSearch(t *testing.T) {
	home := filepath.Join(absolute(t, root), "testdata", "homepage")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list.txt", []byte(strings.Repeat(filepath.Join(home, "log")+"\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"audit", "-o", "out"}, {"ingest", "-o", "out"}, {"validate"}, {"init"},
	} {
		if args[0] != "init" {
			args = append(args, "-p", filepath.Join(home, "protocol.yaml"))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(kit.Signalled(syscall.SIGINT))
		var stderr bytes.Buffer
		p := &kit.Process{Stdout: &bytes.Buffer{}, Stderr: &stderr, Now: time.Now}
		if code := banditaudit(known()).Execute(ctx, p, append(args, "@list.txt")); code != kit.ExitInterrupted || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%q: exit %d, want %d\n%s", args, code, kit.ExitInterrupted, stderr.String())
		}
		says := "banditaudit: interrupt: nothing was written\n"
		if args[0] == "audit" {
			says = "banditaudit: interrupt: no output was written, only out.failed.json, the record of this run\n"
		}
		if stderr.String() != says {
			t.Errorf("%q: %q", args, stderr.String())
		}
	}
	if left := names(t, "."); left != "list.txt out.failed.json" {
		t.Errorf("left %s", left)
	}
}
