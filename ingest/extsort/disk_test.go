package extsort

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A directory that cannot be written to is an error that names it.
func TestNoDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	s := New(Config{Dir: dir, Memory: minMemory})
	defer s.Close()
	var err error
	for _, r := range shuffled(1000) {
		if err = s.Add(r.key, r.payload); err != nil {
			break
		}
	}
	wantDiskError(t, err, dir)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the cause is lost: %v", err)
	}
	if again := s.Add(nil, nil); !errors.Is(again, err) {
		t.Errorf("after an error: %v", again)
	}
	if _, again := s.Sort(); !errors.Is(again, err) {
		t.Errorf("after an error: %v", again)
	}
}

func wantDiskError(t *testing.T, err error, dir string) {
	t.Helper()
	disk, ok := errors.AsType[*DiskError](err)
	if !ok || disk.Dir != dir || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "free some") {
		t.Errorf("got %v", err)
	}
}

// spilled returns a Sorter with several runs on disk.
func spilled(t *testing.T) *Sorter {
	t.Helper()
	s := New(Config{Dir: t.TempDir(), Memory: minMemory})
	t.Cleanup(s.Close)
	for _, r := range shuffled(5000) {
		if err := s.Add(r.key, r.payload); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// A file that cannot be written any more fails Add and Sort.
func TestWriteFails(t *testing.T) {
	s := spilled(t)
	if err := s.disk.file.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Sort()
	wantDiskError(t, err, s.config.Dir)
	wantEmpty(t, s.config.Dir)
}

// A file that lost its end, or whose lengths lie, is an error and no panic.
func TestDamagedFile(t *testing.T) {
	for name, damage := range map[string]func(f *os.File) error{
		"cut": func(f *os.File) error { return f.Truncate(100) },
		"lengths": func(f *os.File) error {
			_, err := f.WriteAt([]byte(strings.Repeat("\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 50)), 0)
			return err
		},
		"no varint": func(f *os.File) error {
			_, err := f.WriteAt([]byte(strings.Repeat("\xff", 500)), 0)
			return err
		},
		"longer than the run": func(f *os.File) error {
			_, err := f.WriteAt([]byte("\xff\xff\x03\xff\xff\x03"), 0)
			return err
		},
	} {
		s := spilled(t)
		if err := damage(s.disk.file); err != nil {
			t.Fatal(err)
		}
		it, err := s.Sort()
		if err == nil {
			for it.Next() {
			}
			err = it.Err()
		}
		if _, ok := errors.AsType[*DiskError](err); !ok {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
