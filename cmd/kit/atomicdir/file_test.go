package atomicdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Where something stands under the name already it stays, and nothing beside it.
func TestWriteNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for i, want := range []error{nil, fs.ErrExist} {
		if err := WriteNew(path, []byte{byte(i)}, 0o600); !errors.Is(err, want) {
			t.Error(i, err)
		}
		if b, err := os.ReadFile(path); err != nil || b[0] != 0 || len(names(t, filepath.Dir(path))) != 1 {
			t.Error(i, b, err)
		}
	}
}

// A file appears whole under its name with the mode that is asked for, or that it had,
// and nothing stands beside it, also where it cannot be placed.
func TestFiles(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "f")
	secret := func(path string, data []byte, mode fs.FileMode) error {
		f, err := NewSecret(path, mode)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			return err
		}
		return f.Place()
	}
	for _, step := range []struct {
		write func(string, []byte, fs.FileMode) error
		asked fs.FileMode
		want  fs.FileMode
	}{{WriteFile, 0o600, 0o600}, {WriteFile, 0o640, 0o600}, {secret, 0o644, 0o644}, {secret, 0o600, 0o600}} {
		data := []byte(step.asked.String())
		if err := step.write(path, data, step.asked); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != step.want {
			t.Errorf("mode %v, %v; want %v", info.Mode(), err, step.want)
		}
		if b, err := os.ReadFile(path); err != nil || !slices.Equal(b, data) {
			t.Errorf("read %q, %v", b, err)
		}
	}
	if err := WriteFile(filepath.Join(parent, "nothing", "f"), nil, 0o600); err == nil {
		t.Error("written into a directory that is not there")
	}
	put(t, filepath.Join(parent, "dir", "full"))
	if err := WriteFile(filepath.Join(parent, "dir"), nil, 0o600); err == nil {
		t.Error("a directory was replaced")
	}
	f, err := NewFile(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Cleanup(); err != nil || f.Cleanup() != nil {
		t.Errorf("cleanup: %v", err)
	}
	if got := names(t, parent); !slices.Equal(got, []string{"dir", "f"}) {
		t.Errorf("left %q", got)
	}
}
