//go:build linux

package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// holding is what this process holds: goroutines, open files, and mapped files.
func holding(t *testing.T) (h [3]int) {
	t.Helper()
	time.Sleep(100 * time.Millisecond) // what was told to end has ended
	runtime.GC()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return [3]int{runtime.NumGoroutine(), len(open), bytes.Count(maps, []byte(" /"))}
}

// TestLevel audits in one process, a log that is good and one that is cut in turn: what
// the process holds is level. SOAK_AUDITS is how many audits [6].
func TestLevel(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SOAK_AUDITS"), "6"))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	t.Chdir(work)
	if code, _, stderr := run(t, "simulate", "-q", "--policy", "thompson", "--counter", "exact", "--means", "0.4,0.6", "--rounds", "200", "--repeat", "3", "-o", "s"); code != 0 {
		t.Fatal(stderr)
	}
	log, err := os.ReadFile("s/log/part-00000.parquet")
	if err != nil {
		t.Fatal(err)
	}
	kittest.Tree(t, "cut")
	write(t, filepath.Join("cut", "part-00000.parquet"), log[:len(log)/2])
	var before [3]int
	for i := range n {
		if i == 4 {
			before = holding(t)
		}
		given, want := "s/log", kit.ExitOK
		if i%2 == 1 {
			given, want = "cut", kit.ExitInput
		}
		code, _, stderr := run(t, "audit", "-q", "--force", "--fail-on", "never", "-p", "s/protocol.yaml", "-o", "out", given)
		if code != want {
			t.Fatalf("audit %d: exit %d\n%s", i, code, stderr)
		}
	}
	after := holding(t)
	if before != after {
		t.Errorf("after 4 audits %d goroutines, open and mapped files, after %d audits %d", before, n, after)
	}
	for i, name := range []string{"goroutines", "open files", "mapped files"} {
		t.Logf("level: %s after %d audits: %d", name, n, after[i])
	}
}
