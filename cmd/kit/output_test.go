package kit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"banditaudit/cmd/kit/kittest"
)

// TestOutputAppearsWhole: nothing stands under the final name before commit,
// and nothing else is left after.
func TestOutputAppearsWhole(t *testing.T) {
	work := t.TempDir()
	out := filepath.Join(work, "deep", "out")
	d, err := NewOutputDir(out+"/", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("sub/a.txt", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the output is there before it is whole: %v", err)
	}
	if filepath.Dir(d.Temp) != filepath.Dir(out) || !strings.HasPrefix(filepath.Base(d.Temp), ".out.partial-") {
		t.Errorf("the temporary directory is %s", d.Temp)
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	kittest.Holds(t, filepath.Join(work, "deep"), "out")
	if b, err := os.ReadFile(filepath.Join(out, "sub", "a.txt")); string(b) != "a" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm()&0o500 != 0o500 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := d.Discard(); err != nil {
		t.Error(err)
	}
	kittest.Holds(t, filepath.Join(work, "deep"), "out")
}

func TestOutputDiscarded(t *testing.T) {
	work := t.TempDir()
	d, err := NewOutputDir(filepath.Join(work, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("a", nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Discard(); err != nil {
			t.Error(err)
		}
	}
	kittest.Holds(t, work)
}

// TestExistingOutput: without --force nothing is touched; with it, what this
// program wrote is replaced, and what it did not write never is.
func TestExistingOutput(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		ours  bool
	}{
		{"empty", nil, true},
		{"bundle", []string{"results.json", "_SUCCESS", "report.html", "checksums.txt"}, true},
		{"notes beside a bundle", []string{"results.json", "_SUCCESS", "report.html", "notes.txt"}, false},
		{"tableau", []string{"rounds.arrow", "manifest.json"}, true},
		{"replay", []string{"replay.json", "transcript.arrow"}, true},
		{"simulation", []string{"truth.json", "protocol.yaml", "seed.hex", "log"}, true},
		{"report", []string{"report.md", "figures"}, true},
		{"tables", []string{"tables"}, true},
		{"foreign", []string{"thesis.tex"}, false},
		{"a manifest of something else", []string{"index.html", "manifest.json"}, false},
		{"tables of something else", []string{"tables", "thesis.tex"}, false},
		{"a hidden file", []string{".git"}, false},
		{"a job's mark", []string{"_SUCCESS", "part-0.parquet"}, false},
		{"a protocol and its log", []string{"protocol.yaml", "log"}, false},
	} {
		work := t.TempDir()
		out := filepath.Join(work, "out")
		kittest.Tree(t, out, c.files...)
		if _, err := NewOutputDir(out, false); ExitCode(t.Context(), err) != ExitUsage || !strings.Contains(err.Error(), "give --force to replace it") {
			t.Errorf("%s: without --force: %v", c.name, err)
		}
		d, err := NewOutputDir(out, true)
		if !c.ours {
			if ExitCode(t.Context(), err) != ExitUsage || !strings.Contains(err.Error(), "--force does not replace it") {
				t.Errorf("%s: with --force: %v", c.name, err)
			}
			kittest.Holds(t, work, "out")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := errors.Join(d.Write("new", nil), d.Commit()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		kittest.Holds(t, work, "out")
		kittest.Holds(t, out, "new")
	}
}

// TestOutputAppearsMeanwhile: a directory that somebody else makes under the
// final name stays as it is.
func TestOutputAppearsMeanwhile(t *testing.T) {
	work := t.TempDir()
	out := filepath.Join(work, "out")
	d, err := NewOutputDir(out, false)
	if err != nil {
		t.Fatal(err)
	}
	kittest.Tree(t, out, "theirs")
	if err := d.Commit(); ExitCode(t.Context(), err) != ExitUsage {
		t.Errorf("commit: %v", err)
	}
	kittest.Holds(t, work, "out")
	kittest.Holds(t, out, "theirs")
}

// TestOutputIsAFile: a file is never taken for a directory.
func TestOutputIsAFile(t *testing.T) {
	work := t.TempDir()
	kittest.Tree(t, work, "file")
	for _, force := range []bool{false, true} {
		if _, err := NewOutputDir(filepath.Join(work, "file"), force); ExitCode(t.Context(), err) != ExitUsage {
			t.Errorf("force %v: %v", force, err)
		}
	}
	if _, err := NewOutputDir(filepath.Join(work, "file", "out"), false); ExitCode(t.Context(), err) != ExitUsage {
		t.Errorf("below a file: %v", err)
	}
	kittest.Holds(t, work, "file")
}

// TestFollowedLink: a link to a directory stays, and what it leads to is replaced; so
// it is where it leads to nothing yet, and with a file.
func TestFollowedLink(t *testing.T) {
	work := t.TempDir()
	kittest.Tree(t, filepath.Join(work, "real"), "results.json", "_SUCCESS")
	out := filepath.Join(work, "out")
	if err := os.Symlink("real", out); err != nil {
		t.Fatal(err)
	}
	d, err := NewOutputDir(out, true)
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(d.Write("new", nil), d.Commit()); err != nil {
		t.Fatal(err)
	}
	kittest.Holds(t, filepath.Join(work, "real"), "new")
	for name, to := range map[string]string{"dangling": "nothing", "file": "other/file"} {
		if err = os.Symlink(to, filepath.Join(work, name)); err != nil {
			t.Fatal(err)
		}
	}
	if d, err = NewOutputDir(filepath.Join(work, "dangling"), true); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Write("new", nil), d.Commit(), os.Mkdir(filepath.Join(work, "other"), 0o755),
		WriteFile(filepath.Join(work, "file"), []byte("x"), true)); err != nil {
		t.Fatal(err)
	}
	kittest.Holds(t, filepath.Join(work, "nothing"), "new")
	kittest.Holds(t, filepath.Join(work, "other"), "file")
	for _, name := range []string{"out", "dangling", "file"} {
		if _, err := os.Readlink(filepath.Join(work, name)); err != nil {
			t.Errorf("%s is no link any more", name)
		}
	}
}

// TestUmask: the directory is as readable as the umask lets it be.
func TestUmask(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	out := filepath.Join(t.TempDir(), "out")
	d, err := NewOutputDir(out, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Write("a/b", nil), d.Commit()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a", "a/b"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestWriteFile(t *testing.T) {
	work := t.TempDir()
	path := filepath.Join(work, "deep", "a.json")
	if err := WriteFile(path, []byte("1"), false); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("2"), false); ExitCode(t.Context(), err) != ExitUsage {
		t.Errorf("without --force: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "1" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if err := WriteFile(path, []byte("3"), true); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "3" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	kittest.Holds(t, filepath.Join(work, "deep"), "a.json")
}
