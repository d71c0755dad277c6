package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree is a directory with the given files in it, and nothing else.
func tree(t *testing.T, path string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(path, n), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// holds compares what a directory holds.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s holds %q, want %q", filepath.Base(dir), got, want)
	}
}

// TestOutputAppearsWhole: nothing stands under the final name before commit,
// and nothing else is left after.
func TestOutputAppearsWhole(t *testing.T) {
	work := t.TempDir()
	out := filepath.Join(work, "deep", "out")
	d, err := newOutputDir(out+"/", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.write("sub/a.txt", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the output is there before it is whole: %v", err)
	}
	if filepath.Dir(d.temp) != filepath.Dir(out) || !strings.HasPrefix(filepath.Base(d.temp), ".out.partial-") {
		t.Errorf("the temporary directory is %s", d.temp)
	}
	if err := d.commit(); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(work, "deep"), "out")
	if b, err := os.ReadFile(filepath.Join(out, "sub", "a.txt")); string(b) != "a" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm()&0o500 != 0o500 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := d.discard(); err != nil {
		t.Error(err)
	}
	holds(t, filepath.Join(work, "deep"), "out")
}

func TestOutputDiscarded(t *testing.T) {
	work := t.TempDir()
	d, err := newOutputDir(filepath.Join(work, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.write("a", nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.discard(); err != nil {
			t.Error(err)
		}
	}
	holds(t, work)
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
		tree(t, out, c.files...)
		if _, err := newOutputDir(out, false); exitCode(t.Context(), err) != exitUsage || !strings.Contains(err.Error(), "give --force to replace it") {
			t.Errorf("%s: without --force: %v", c.name, err)
		}
		d, err := newOutputDir(out, true)
		if !c.ours {
			if exitCode(t.Context(), err) != exitUsage || !strings.Contains(err.Error(), "--force does not replace it") {
				t.Errorf("%s: with --force: %v", c.name, err)
			}
			holds(t, work, "out")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := errors.Join(d.write("new", nil), d.commit()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		holds(t, work, "out")
		holds(t, out, "new")
	}
}

// TestOutputAppearsMeanwhile: a directory that somebody else makes under the
// final name stays as it is.
func TestOutputAppearsMeanwhile(t *testing.T) {
	work := t.TempDir()
	out := filepath.Join(work, "out")
	d, err := newOutputDir(out, false)
	if err != nil {
		t.Fatal(err)
	}
	tree(t, out, "theirs")
	if err := d.commit(); exitCode(t.Context(), err) != exitUsage {
		t.Errorf("commit: %v", err)
	}
	holds(t, work, "out")
	holds(t, out, "theirs")
}

// TestOutputIsAFile: a file is never taken for a directory.
func TestOutputIsAFile(t *testing.T) {
	work := t.TempDir()
	tree(t, work, "file")
	for _, force := range []bool{false, true} {
		if _, err := newOutputDir(filepath.Join(work, "file"), force); exitCode(t.Context(), err) != exitUsage {
			t.Errorf("force %v: %v", force, err)
		}
	}
	if _, err := newOutputDir(filepath.Join(work, "file", "out"), false); exitCode(t.Context(), err) != exitUsage {
		t.Errorf("below a file: %v", err)
	}
	holds(t, work, "file")
}

// TestFollowedLink: a link to a directory stays, and what it leads to is replaced; so
// it is where it leads to nothing yet, and with a file.
func TestFollowedLink(t *testing.T) {
	work := t.TempDir()
	tree(t, filepath.Join(work, "real"), "results.json", "_SUCCESS")
	out := filepath.Join(work, "out")
	if err := os.Symlink("real", out); err != nil {
		t.Fatal(err)
	}
	d, err := newOutputDir(out, true)
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(d.write("new", nil), d.commit()); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(work, "real"), "new")
	for name, to := range map[string]string{"dangling": "nothing", "file": "other/file"} {
		if err = os.Symlink(to, filepath.Join(work, name)); err != nil {
			t.Fatal(err)
		}
	}
	if d, err = newOutputDir(filepath.Join(work, "dangling"), true); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.write("new", nil), d.commit(), os.Mkdir(filepath.Join(work, "other"), 0o755),
		writeFile(filepath.Join(work, "file"), []byte("x"), true)); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(work, "nothing"), "new")
	holds(t, filepath.Join(work, "other"), "file")
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
	d, err := newOutputDir(out, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.write("a/b", nil), d.commit()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a", "a/b"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestPrivateOutput: what replaces a directory is no more readable than it was, nor is the
// record of a run that failed to.
func TestPrivateOutput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	tree(t, out, "results.json", "_SUCCESS")
	if err := os.Chmod(out, 0o710); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "audit", "--force", "-p", filepath.Join(root, "testdata", "homepage", "protocol.yaml"), "-o", out, "nothing"); code != exitInput {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	d, err := newOutputDir(out, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.commit(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{out: 0o710, failureFile(out): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestWriteFile(t *testing.T) {
	work := t.TempDir()
	path := filepath.Join(work, "deep", "a.json")
	if err := writeFile(path, []byte("1"), false); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(path, []byte("2"), false); exitCode(t.Context(), err) != exitUsage {
		t.Errorf("without --force: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "1" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if err := writeFile(path, []byte("3"), true); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "3" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	holds(t, filepath.Join(work, "deep"), "a.json")
}

// TestNoPlaceIsSaidOnce: where neither the output nor the record of its failure can be
// made, for one reason, the reason is said once.
func TestNoPlaceIsSaidOnce(t *testing.T) {
	const none = "/proc/none" // a directory in which nobody can make one
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skipf("there is no such place here: %v", err)
	}
	home := filepath.Join(root, "testdata", "homepage")
	code, _, said := run(t, "audit", "-p", filepath.Join(home, "protocol.yaml"), "-o", none+"/out", filepath.Join(home, "log"))
	if code != exitNotWritten || strings.Count(said, none) != 1 {
		t.Errorf("exit %d: %s", code, said)
	}
}
