package mmap

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	const text = "some bytes of a file"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(f.Bytes()) != text {
		t.Errorf("%q", f.Bytes())
	}
	if err := iotest.TestReader(io.NewSectionReader(f, 0, int64(len(text))), []byte(text)); err != nil {
		t.Error(err)
	}
	if _, err := f.ReadAt(make([]byte, 1), -1); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("before the file: %v", err)
	}
	if _, err := f.ReadAt(make([]byte, 1), 1000); !errors.Is(err, io.EOF) {
		t.Errorf("beyond the file: %v", err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if f.Bytes() != nil {
		t.Error("bytes of a closed file")
	}
}

// Where a file is not mapped it is read, with the same bytes.
func TestLoad(t *testing.T) {
	for _, text := range []string{"x", "12345678", "123456789"} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		f, err := load(file, info)
		if err != nil || string(f.Bytes()) != text || f.Close() != nil {
			t.Errorf("%v, %v", f, err)
		}
		if _, err := load(file, longer{info}); err == nil {
			t.Error("a file that ends early was read")
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// longer is a file that was longer when it was looked at.
type longer struct{ os.FileInfo }

func (longer) Size() int64 { return 10 }

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, empty} {
		if _, err := Open(path); !errors.Is(err, ErrNoFile) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	file, err := os.Open(empty)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := Map(file); !errors.Is(err, ErrNoFile) {
		t.Errorf("Map: %v", err)
	}
}
