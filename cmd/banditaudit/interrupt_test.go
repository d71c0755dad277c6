package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditaudit/cmd/kit"
)

// TestInterruptedIngest interrupts ingest, which writes the tableau that would
// cost most to leave half-written: it says so in one line, exits 130, and
// leaves nothing, neither beside the output nor in TMPDIR.
func TestInterruptedIngest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out ingests of 400,000 rows that are interrupted; the full run has them")
	}
	sim := bigLog(t)
	stopped := 0
	for delay := 20 * time.Millisecond; delay < 400*time.Millisecond && stopped < 3; delay += 30 * time.Millisecond {
		work, tmp := t.TempDir(), t.TempDir()
		var stderr bytes.Buffer
		cmd := exec.Command(os.Args[0], "ingest", "-p", filepath.Join(sim, "protocol.yaml"), "-o", filepath.Join(work, "out"), filepath.Join(sim, "log"))
		cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+tmp, "CI=true")
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(delay)
		_ = cmd.Process.Signal(syscall.SIGINT) // a process that is done already cannot be signalled
		code := exitOf(cmd.Wait())
		if code != kit.ExitInterrupted { // done before, or, on a busy machine, not yet begun
			continue
		}
		stopped++
		if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "banditaudit: interrupt: ") || !strings.Contains(got, "nothing was written") {
			t.Errorf("after %v: %q", delay, got)
		}
		if left := names(t, work) + names(t, tmp); left != "" {
			t.Errorf("after %v: left %s behind", delay, left)
		}
	}
	if stopped == 0 {
		t.Error("no run was stopped in time")
	}
}
