package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// brokenPipe is the writing end of a pipe that nobody reads.
func brokenPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() }) // nothing was written to it
	return w
}

// reader is a file, which takes all that is written to it.
func reader(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "printed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() }) // nobody reads it
	return f
}

// program runs the program with the given stdout and stderr.
func program(t *testing.T, stdout, stderr *os.File, args ...string) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir(), "CI=true")
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode() // -1 where a signal killed it
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

// TestReaderGone: with nobody reading stdout and stderr every command writes
// what it writes otherwise, and ends with the same code.
func TestReaderGone(t *testing.T) {
	read := t.TempDir() // what the runs with a reader leave
	gone := t.TempDir()
	protocol, log := filepath.Join(read, "sim", "protocol.yaml"), filepath.Join(read, "sim", "log")
	for _, c := range []struct {
		out  string
		args []string
	}{
		{"sim", []string{"simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "bernoulli", "--means", "0.4,0.6", "--rounds", "500"}},
		{"tableau", []string{"ingest", "-p", protocol, log}},
		{"replay", []string{"replay", "-p", protocol, "-t", filepath.Join(read, "tableau")}},
		{"results.json", []string{"analyze", "-v", "-p", protocol, "-t", filepath.Join(read, "tableau"), "--replay", filepath.Join(read, "replay")}},
		{"report", []string{"report", filepath.Join(read, "results.json")}},
		{"audit", []string{"audit", "-v", "-p", protocol, log}},
		{"json", []string{"audit", "--json", "-p", protocol, log}},
		{"", []string{"audit", "-p", protocol, "-o", filepath.Join(read, "audit"), log}}, // exists
		{"", []string{"init", log}},
		{"", []string{"validate", "-p", protocol}},
		{"", []string{"help"}},
		{"", []string{"audit", "--help"}},
		{"", []string{"version"}},
		{"", []string{"schema", "results"}},
	} {
		with := func(dir string) []string {
			if c.out == "" {
				return c.args
			}
			return append(append([]string{}, c.args...), "-o", filepath.Join(dir, c.out))
		}
		want := program(t, reader(t), reader(t), with(read)...)
		if got := program(t, brokenPipe(t), brokenPipe(t), with(gone)...); got != want {
			t.Errorf("%v: exit %d, want %d", c.args, got, want)
		}
	}
	if got, want := names(t, gone), names(t, read); got != want {
		t.Fatalf("left %q, want %q", got, want)
	}
	made, wanted := contents(t, gone), contents(t, read)
	for name, b := range wanted {
		if base := filepath.Base(name); base == "run.json" || base == "checksums.txt" {
			continue
		}
		if !bytes.Equal(made[name], b) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestSecondsOfStages: run.json has the seconds of every stage of an audit,
// and -v says them.
func TestSecondsOfStages(t *testing.T) {
	protocol, log := seededLog(t)
	out := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := run(t, "audit", "-v", "-p", protocol, "-o", out, log, "--fail-on", "never"); code != 0 || strings.Count(stderr, " took ") != 4 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	var d bundle.RunDocument
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(out, kit.RunFile))), &d); err != nil {
		t.Fatal(err)
	}
	names, all := "", 0.0
	for _, s := range d.Stages {
		if s.Seconds <= 0 {
			t.Errorf("%s: %g seconds", s.Stage, s.Seconds)
		}
		names, all = names+s.Stage+" ", all+s.Seconds
	}
	if names != "ingest replay analyze report " || all > d.Seconds {
		t.Errorf("%s: %g of %g seconds", names, all, d.Seconds)
	}
}

// TestFullStdout: what cannot be printed for another reason is not written, and
// an audit takes its bundle back so that a retry finds its place free, or what
// stood there.
func TestFullStdout(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	defer full.Close()
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "verdicts"}, {"audit", "--help"}, {"help", "audit"}, {"version"}, {"version", "--json"}, {"schema", "protocol"}} {
		if got := program(t, full, brokenPipe(t), args...); got != kit.ExitNotWritten {
			t.Errorf("%v: exit %d, want %d", args, got, kit.ExitNotWritten)
		}
	}
	home := filepath.Join(root, "testdata", "homepage")
	work := t.TempDir()
	out := filepath.Join(work, "out")
	audit := []string{"audit", "--force", "-p", filepath.Join(home, "protocol.yaml"), "-o", out, filepath.Join(home, "log")}
	if got := program(t, full, brokenPipe(t), audit...); got != kit.ExitNotWritten {
		t.Errorf("audit: exit %d, want %d", got, kit.ExitNotWritten)
	}
	kittest.Holds(t, work, "out.failed.json")
	kittest.Tree(t, out, "results.json", "_SUCCESS")
	if got := program(t, full, brokenPipe(t), audit...); got != kit.ExitNotWritten {
		t.Errorf("audit over an earlier bundle: exit %d, want %d", got, kit.ExitNotWritten)
	}
	kittest.Holds(t, work, "out", "out.failed.json")
	if b, err := os.ReadFile(filepath.Join(out, "results.json")); err != nil || strings.TrimSpace(string(b)) != "old" {
		t.Errorf("the earlier bundle holds %q, %v", b, err)
	}
}
