//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// TestPipes gives a named pipe, which nobody writes to, wherever a path is
// taken: it is refused, and not waited for.
func TestPipes(t *testing.T) {
	home := filepath.Join(absolute(t, root), "testdata", "homepage")
	t.Chdir(t.TempDir())
	pipes := []string{"pipe", "log/a.parquet", "list/pipe", "replay/replay.json", "tab/manifest.json", "tab2/rounds.arrow", "lake/metadata", "bare/000000_0"}
	for _, pipe := range pipes {
		kittest.Tree(t, filepath.Dir(pipe))
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := os.ReadFile(filepath.Join(home, "protocol.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"p.yaml": strings.ReplaceAll(string(source), "seed.hex", filepath.Join(home, "seed.hex")), "seed.yaml": strings.ReplaceAll(string(source), "seed.hex", "pipe"),
		"list.txt": "pipe\n",
	} {
		if err = os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(home, "log")
	if code, _, stderr := run(t, "ingest", "-q", "-p", "p.yaml", "-o", "whole", log); code != kit.ExitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	manifest, err := os.ReadFile("whole/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", "to-pipe"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tab2/manifest.json", manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want int
	}{
		{"audit -p seed.yaml -o out LOG", kit.ExitUsage},
		{"ingest -p seed.yaml -o out LOG", kit.ExitUsage},
		{"validate -p seed.yaml", kit.ExitExceptions},
		{"audit -p pipe -o out LOG", kit.ExitUsage},
		{"audit -p p.yaml -o out pipe", kit.ExitInput},
		{"audit -p p.yaml -o out log", kit.ExitInput},
		{"audit -p p.yaml -o out bare", kit.ExitInput},
		{"audit -p p.yaml -o out lake", kit.ExitInput},
		{"audit -p p.yaml -o out @pipe", kit.ExitInput},
		{"audit -p p.yaml -o out @list.txt", kit.ExitInput},
		{"audit -p p.yaml -o out *pe", kit.ExitInput},
		{"init @pipe", kit.ExitInput},
		{"init pipe", kit.ExitInput},
		{"audit -p p.yaml --force -o pipe LOG", kit.ExitUsage},
		{"audit -p p.yaml --force -o out --keep-tableau pipe LOG", kit.ExitUsage},
		{"replay -p p.yaml -t tab -o out", kit.ExitInput},
		{"replay -p p.yaml -t tab2 -o out", kit.ExitInput},
		{"analyze -p p.yaml -t whole --replay replay -o r.json", kit.ExitInput},
		{"analyze -p p.yaml -t whole --force -o pipe", kit.ExitUsage},
		{"report -o out pipe", kit.ExitInput},
		{"keygen --force -o pipe", kit.ExitUsage},
		{"keygen --force -o to-pipe", kit.ExitUsage},
		{"keygen -o key", kit.ExitOK},
		{"commit -p p.yaml --key key --force -o pipe", kit.ExitUsage},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "LOG", log))
		done := make(chan int, 1)
		var stderr string
		go func() {
			var code int
			code, _, stderr = run(t, args...)
			done <- code
		}()
		select {
		case code := <-done:
			if code != c.want {
				t.Errorf("%s: exit %d, want %d\n%s", c.args, code, c.want, stderr)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s waits for a pipe", c.args)
		}
	}
	if info, err := os.Lstat("pipe"); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("the pipe was replaced: %v, %v", info, err)
	}
}
