package command

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
	"banditaudit/cmd/kit/kittest"
)

// TestPagesStop: a signal ends what counts, with its code, and nothing is left.
func TestPagesStop(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, name := range []string{"faults", "calibration", "mechanisms"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(kit.Signalled(syscall.SIGTERM))
		var stderr bytes.Buffer
		p := &kit.Process{Stdout: &bytes.Buffer{}, Stderr: &stderr, Now: time.Now}
		t.Setenv("TMPDIR", temp)
		if code := New().Execute(ctx, p, []string{name}); code != kit.ExitTerminated {
			t.Errorf("%s: exit %d\n%s", name, code, stderr.String())
		}
	}
	kittest.Holds(t, temp)
}

// TestPagesSpareFiles: a file that is no page of the command's is not replaced, and wrong
// flags are found before anything is counted.
func TestPagesSpareFiles(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"mechanisms -o " + page, "is no page that banditlab mechanisms wrote"},
		{"truth -o " + page, "is no page that banditlab truth wrote"},
		{"mechanisms -o " + filepath.Dir(page), "is a directory"},
		{"mechanisms -j -3", "--jobs is -3"},
		{"dialects --logs 0", "--logs is 0"},
		{"dialects --settings nosuch", "no setting fits"},
		{"dialects --logs 2 -o " + page + "2", "leave -o out"},
		{"truth --rows nosuch", "no row fits"},
	} {
		code, stdout, stderr := run(t, strings.Fields(c.args)...)
		if code != kit.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.args, code, kit.ExitUsage, c.want, stderr)
		}
	}
	if b, err := os.ReadFile(page); string(b) != "mine\n" || err != nil {
		t.Errorf("the file holds %q, %v", b, err)
	}
}
