//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
)

// limited runs the program under a limit of the shell's, such as "-n 8".
func limited(t *testing.T, tmp, limit string, args ...string) (code int, stderr string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", "ulimit " + limit + ` && exec "$@"`, "sh", os.Args[0]}, args...)...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+tmp, "CI=true")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	return exitOf(cmd.Run()), errs.String()
}

// writers are the commands that write much, without their outputs.
func writers(home string) map[string][]string {
	protocol, log := filepath.Join(home, "protocol.yaml"), filepath.Join(home, "log")
	return map[string][]string{
		"ingest":          {"ingest", "-q", "-p", protocol, log},
		"ingest, one job": {"ingest", "-q", "-j", "1", "-p", protocol, log},
		"audit":           {"audit", "-q", "-p", protocol, log},
		"simulate":        {"simulate", "-q", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "bernoulli", "--means", "0.4,0.6", "--rounds", "20000"},
	}
}

// TestFileSizeLimit lets no file be larger than 4 KiB, so that writing fails
// with another error than that of a full disk: exit 5 all the same, for it is
// what was done that decides, not what the system calls it.
func TestFileSizeLimit(t *testing.T) {
	home := filepath.Join(absolute(t, root), "testdata", "homepage")
	for name, args := range writers(home) {
		work, tmp := t.TempDir(), t.TempDir()
		code, stderr := limited(t, tmp, "-f 8", append(args, "-o", filepath.Join(work, "out"))...)
		if code != kit.ExitNotWritten || !strings.Contains(stderr, "file too large") {
			t.Errorf("%s: exit %d, want %d\n%s", name, code, kit.ExitNotWritten, stderr)
		}
		if left := names(t, tmp) + strings.TrimPrefix(names(t, work), "out.failed.json"); left != "" {
			t.Errorf("%s: left %s", name, left)
		}
	}
}

// TestOpenFilesLimit lets few files be open: a resource limit, with what to do,
// and never a fault of the log.
func TestOpenFilesLimit(t *testing.T) {
	home := filepath.Join(absolute(t, root), "testdata", "homepage")
	reached := 0
	for name, args := range writers(home) {
		for limit := 8; limit < 14; limit += 2 {
			work := t.TempDir()
			code, stderr := limited(t, t.TempDir(), fmt.Sprintf("-n %d", limit), append(args, "-o", filepath.Join(work, "out"))...)
			switch {
			case code == kit.ExitOK, strings.HasPrefix(stderr, "runtime: "): // enough, or not enough for Go itself
			case code != kit.ExitResource || !strings.Contains(stderr, "ulimit -n") || strings.Contains(stderr, "context canceled"):
				t.Errorf("%s, %d files: exit %d, want %d\n%s", name, limit, code, kit.ExitResource, stderr)
			default:
				reached++
			}
		}
	}
	if reached == 0 {
		t.Error("no limit was reached")
	}
}

// TestExhausted: what is no disk and no file is a resource, wherever it ran out.
func TestExhausted(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		path := &os.PathError{Op: "open", Path: "x", Err: errno}
		for name, err := range map[string]error{
			"alone": path, "input": kit.BadInput(path), "log": &fault.InputError{Err: path}, "output": kit.NotWritten(path), "ingest's output": fmt.Errorf("%w: %w", fault.ErrNotWritten, path),
		} {
			if code := kit.ExitCode(t.Context(), err); code != kit.ExitResource || !strings.Contains(kit.Message(t.Context(), err), "\n") {
				t.Errorf("%v, %s: exit %d, want %d: %s", errno, name, code, kit.ExitResource, kit.Message(t.Context(), err))
			}
		}
	}
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.EROFS, syscall.EFBIG, syscall.EACCES} {
		err := fmt.Errorf("ingest: %w: %w", fault.ErrNotWritten, &os.PathError{Op: "write", Path: "x", Err: errno})
		if code := kit.ExitCode(t.Context(), err); code != kit.ExitNotWritten {
			t.Errorf("%v: exit %d, want %d", errno, code, kit.ExitNotWritten)
		}
	}
}
