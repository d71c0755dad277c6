package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// asProgram makes the test binary be the program, so that a test can kill it.
const asProgram = "BANDITAUDIT_TEST_AS_PROGRAM"

// asSignals makes the test binary print the signals that end a run.
const asSignals = "BANDITAUDIT_TEST_AS_SIGNALS"

// start runs the program in a process of its own with a TMPDIR of its own.
func start(t *testing.T, tmp string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+tmp, "CI=true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// bigLog simulates a log on which an audit takes long enough to be stopped.
func bigLog(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sim")
	code, _, stderr := run(t, "simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "bernoulli",
		"--means", "0.4,0.6", "--rounds", "400000", "--context-dim", "2", "-o", dir)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	return dir
}

func exitOf(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// TestStopped stops audits at many moments. Asked to stop, the program leaves
// nothing but DIR.failed.json and says so with its exit code; killed, it leaves
// no bundle under its final name. A run that was done before leaves a whole one.
func TestStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out audits of 400,000 rows; the full run has them")
	}
	sim := bigLog(t)
	for _, c := range []struct {
		signal syscall.Signal
		code   int
		first  time.Duration
	}{{syscall.SIGINT, kit.ExitInterrupted, 20}, {syscall.SIGTERM, kit.ExitTerminated, 130}, {syscall.SIGHUP, kit.ExitHungUp, 170}, {syscall.SIGQUIT, kit.ExitQuit, 90}, {syscall.SIGKILL, -1, 75}} {
		stopped := 0
		for delay := c.first * time.Millisecond; delay < 700*time.Millisecond; delay += 220 * time.Millisecond {
			if stopOnce(t, sim, c.signal, c.code, delay) {
				stopped++
			}
		}
		if stopped == 0 {
			t.Errorf("%v: no run was stopped in time", c.signal)
		}
	}
}

// stopOnce reports whether the run was stopped before it was done.
func stopOnce(t *testing.T, sim string, signal syscall.Signal, code int, delay time.Duration) bool {
	t.Helper()
	work, tmp := t.TempDir(), t.TempDir()
	out := filepath.Join(work, "out")
	cmd := start(t, tmp, "audit", "-q", "-p", filepath.Join(sim, "protocol.yaml"), "-o", out, filepath.Join(sim, "log"))
	time.Sleep(delay)
	_ = cmd.Process.Signal(signal) // a process that is done already cannot be signalled
	got := exitOf(cmd.Wait())
	if _, err := os.Stat(out); err == nil {
		if _, err := os.Stat(filepath.Join(out, "_SUCCESS")); err != nil {
			t.Errorf("%v after %v: a bundle without _SUCCESS has its final name", signal, delay)
		}
		return false
	}
	untouched := names(t, work) == "" && names(t, tmp) == ""
	early := got == -1 || signal == syscall.SIGQUIT && got == 2 // what the runtime does of itself
	if got != code && (!early || !untouched) {                  // on a busy machine a signal can come before the program does
		t.Errorf("%v after %v: exit code %d, want %d", signal, delay, got, code)
	}
	if signal == syscall.SIGKILL {
		return true
	}
	if left := names(t, work); left != "out.failed.json" && left != "" {
		t.Errorf("%v after %v: left %s behind", signal, delay, left)
	}
	if left := names(t, tmp); left != "" {
		t.Errorf("%v after %v: left %s in TMPDIR", signal, delay, left)
	}
	return true
}

// A hang-up ends no run for which it is ignored, as under nohup.
func TestIgnoredHangUp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no hang-up")
	}
	for trap, want := range map[string]bool{"": false, "trap '' HUP;": true} {
		cmd := exec.Command("/bin/sh", "-c", trap+` exec "$0" -test.run '^$'`, os.Args[0])
		cmd.Env = append(os.Environ(), asSignals+"=1")
		out, err := cmd.Output()
		if got := !strings.Contains(string(out), syscall.SIGHUP.String()); err != nil || got != want || !strings.Contains(string(out), syscall.SIGQUIT.String()) {
			t.Errorf("%q: %s, %v", trap, out, err)
		}
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

// What a process that was killed left in TMPDIR is removed by the next one.
func TestSweptScratch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no locks by which it is known who is gone")
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for _, prefix := range []string{scratchPrefix, bundle.AgainPrefix} {
		kittest.Tree(t, filepath.Join(tmp, prefix+"1"))
		write(t, filepath.Join(tmp, prefix+"1.lock"), nil)
	}
	code, _, stderr := run(t, "verify", filepath.Join(root, "testdata", "bundles", kit.Version))
	if left := names(t, tmp); code != 0 || left != "" {
		t.Errorf("exit %d, left is %s\n%s", code, left, stderr)
	}
}
