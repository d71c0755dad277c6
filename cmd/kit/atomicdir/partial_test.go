package atomicdir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// made is a directory with a file in it.
func made(t *testing.T, parent, prefix string) *Dir {
	t.Helper()
	d, err := Make(parent, prefix, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(d.Path, "reward"))
	return d
}

func put(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// died gives up the lock as the end of a process does.
func died(t *testing.T, d *Dir) {
	t.Helper()
	if err := d.lock.Close(); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// What a process that is gone left is removed; what somebody works in, what has
// another prefix, what is no lock of ours and what has none stay.
func TestSweep(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a[b]*") // signs of patterns in the path
	if err := os.Mkdir(parent, 0o700); err != nil {
		t.Fatal(err)
	}
	alive, dead, other := made(t, parent, "x-"), made(t, parent, "x-"), made(t, parent, "y-")
	defer func() {
		if err := alive.Remove(); err != nil {
			t.Error(err)
		}
	}()
	died(t, dead)
	died(t, other)
	put(t, filepath.Join(parent, "x-old", "reward")) // of a version without locks
	put(t, filepath.Join(parent, "target"))
	if err := os.Symlink("target", filepath.Join(parent, "x-link.lock")); err != nil {
		t.Fatal(err)
	}
	removed := Sweep(parent, "x-", "")
	if !slices.Equal(removed, []string{dead.Path}) {
		t.Errorf("removed %q, not %q", removed, dead.Path)
	}
	want := []string{
		"target", filepath.Base(alive.Path), filepath.Base(alive.Path) + ".lock", "x-link.lock", "x-old",
		filepath.Base(other.Path), filepath.Base(other.Path) + ".lock",
	}
	slices.Sort(want)
	if got := names(t, parent); !slices.Equal(got, want) {
		t.Errorf("left %q, not %q", got, want)
	}
	if again := Sweep(parent, "x-", ""); len(again) > 0 {
		t.Errorf("removed %q too", again)
	}
}

// A process that died between moving an output aside and giving the new one its name
// has the old one put back; where the name is taken the old one goes.
func TestSweepPutsBack(t *testing.T) {
	for _, taken := range []bool{false, true} {
		parent := t.TempDir()
		final := filepath.Join(parent, "out")
		d := made(t, parent, ".out.partial-")
		put(t, filepath.Join(d.Aside(), "old"))
		if taken {
			put(t, filepath.Join(final, "new"))
		}
		died(t, d)
		Sweep(parent, ".out.partial-", final)
		want := map[bool]string{false: "old", true: "new"}[taken]
		if got := names(t, parent); !slices.Equal(got, []string{"out"}) || !slices.Equal(names(t, final), []string{want}) {
			t.Errorf("taken %v: %q in %q", taken, names(t, final), got)
		}
	}
}

func TestRemoveAndRelease(t *testing.T) {
	parent := t.TempDir()
	if err := made(t, parent, "x-").Remove(); err != nil {
		t.Fatal(err)
	}
	kept := made(t, parent, "x-")
	if err := kept.Release(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); !slices.Equal(got, []string{filepath.Base(kept.Path)}) {
		t.Errorf("left %q", got)
	}
	if _, err := Make(filepath.Join(parent, "nothing"), "x-", 0o700); err == nil {
		t.Error("made in a directory that is not there")
	}
}

// The two names change places, or nothing has changed.
func TestExchange(t *testing.T) {
	parent := t.TempDir()
	a, b := filepath.Join(parent, "a"), filepath.Join(parent, "b")
	put(t, filepath.Join(a, "one"))
	put(t, filepath.Join(b, "two"))
	want := []string{"two", "one"}
	if err := Exchange(a, b); err != nil {
		want = []string{"one", "two"}
	}
	if got := append(names(t, a), names(t, b)...); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if Exchange(a, filepath.Join(parent, "nothing")) == nil {
		t.Error("exchanged with nothing")
	}
}
