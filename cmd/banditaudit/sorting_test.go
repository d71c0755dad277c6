//go:build linux

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

// shuffledLog simulates a log and a protocol that orders it by a random column,
// so that ingest sorts it, and under the least memory spills.
func shuffledLog(t *testing.T) (protocol, log string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sim")
	code, _, stderr := run(t, "simulate", "--policy", "uniform", "--counter", "exact", "--world", "bernoulli",
		"--means", "0.4,0.6", "--rounds", "300000", "--context-dim", "12", "-o", dir)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	protocol = filepath.Join(dir, "protocol.yaml")
	b, err := os.ReadFile(protocol)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), "order: [round]", "order: [x0, round]", 1)
	if text == string(b) {
		t.Fatalf("the simulated protocol has no order to change:\n%s", b)
	}
	if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return protocol, filepath.Join(dir, "log")
}

func sortArgs(protocol, log, out string, more ...string) []string {
	return append([]string{"ingest", "-q", "--max-memory", "64MiB", "-p", protocol, "-o", out, log}, more...)
}

// TestStoppedWhileSorting stops an ingest that sorts on disk at many moments.
// Killed, it leaves no tableau under its final name and no file of the sort; a
// second run to the same place gives the bytes of one that was not disturbed.
func TestStoppedWhileSorting(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out some dozen sorts of 300,000 rows; the full run has them")
	}
	protocol, log := shuffledLog(t)
	whole := filepath.Join(t.TempDir(), "whole")
	begun := time.Now()
	if err := start(t, t.TempDir(), sortArgs(protocol, log, whole)...).Wait(); err != nil { // a process of its own, with memory of its own
		t.Fatal(err)
	}
	took := time.Since(begun) // the shortest of the runs so far: the machine may be busy with something else in some of them
	want := readFile(t, filepath.Join(whole, "rounds.arrow"))
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		stopped := 0
		for part := range 3 {
			work := t.TempDir()
			out := filepath.Join(work, "out")
			cmd := start(t, t.TempDir(), sortArgs(protocol, log, out)...)
			time.Sleep(took * time.Duration(part+1) / 4)
			_ = cmd.Process.Signal(signal) // a process that is done already cannot be signalled
			_ = cmd.Wait()                 // its exit code is the other test's business
			if _, err := os.Stat(out); err != nil {
				stopped++
			}
			wantNoSort(t, work, signal)
			again := time.Now()
			if err := start(t, t.TempDir(), sortArgs(protocol, log, out, "--force")...).Wait(); err != nil {
				t.Fatalf("second run: %v", err)
			}
			took = min(took, time.Since(again))
			if got := readFile(t, filepath.Join(out, "rounds.arrow")); got != want {
				t.Errorf("%v at %d/4: the second run gave other bytes", signal, part+1)
			}
			if got := names(t, work); got != "out" {
				t.Errorf("%v at %d/4: the second run left %s", signal, part+1, got)
			}
		}
		if stopped == 0 {
			t.Errorf("%v: no run was stopped in time", signal)
		}
	}
}

// wantNoSort checks that nothing of the sort is anywhere below a directory, and
// that what is left there is hidden, or the whole output.
func wantNoSort(t *testing.T, dir string, signal syscall.Signal) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".sort-") {
			t.Errorf("%v: %s is left", signal, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(names(t, dir)) {
		if partial := strings.HasPrefix(name, ".out.partial-"); !partial && name != "out" && name != "out.failed.json" || partial && signal != syscall.SIGKILL {
			t.Errorf("%v: left %s", signal, name)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFullDiskWhileSorting fills the disk while rows are sorted on it: exit 5,
// the directory is named, and nothing is left.
func TestFullDiskWhileSorting(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a log of 300,000 rows; the full run has it")
	}
	small := smallDisk(t, "20m")
	protocol, log := shuffledLog(t)
	// In a process of its own: --max-memory is about all that a process has, and
	// this one has what other tests took.
	var said bytes.Buffer
	cmd := exec.Command(os.Args[0], sortArgs(protocol, log, filepath.Join(small, "out"))...)
	cmd.Env, cmd.Stderr = append(os.Environ(), asProgram+"=1", "CI=true"), &said
	code, stderr := exitOf(cmd.Run()), said.String()
	if code != kit.ExitNotWritten || !strings.Contains(stderr, "sorting needs temporary space in "+small) || !strings.Contains(stderr, "no space left") {
		t.Errorf("exit %d, want %d\n%s", code, kit.ExitNotWritten, stderr)
	}
	if left := names(t, small); left != "" && left != "out.failed.json" {
		t.Errorf("left %q", left)
	}
}
