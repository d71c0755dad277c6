//go:build unix

package mmap

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

const page = 1 << 16 // at least a page of every system

// A file that is cut while it is mapped faults when its lost pages are read;
// the fault is an error under Guard and in ReadAt.
func TestFaultIsError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 4*page), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cerr := f.Close(); cerr != nil {
			t.Error(cerr)
		}
	})
	if err = os.Truncate(path, page); err != nil {
		t.Fatal(err)
	}
	sum := 0
	err = f.Guard(func() error {
		for _, b := range f.Bytes() {
			sum += int(b)
		}
		return nil
	})
	if !errors.Is(err, ErrFault) {
		t.Errorf("Guard: %v (sum %d)", err, sum)
	}
	if _, err := f.ReadAt(make([]byte, 10), 3*page); !errors.Is(err, ErrFault) {
		t.Errorf("ReadAt: %v", err)
	}
	if n, err := f.ReadAt(make([]byte, 10), 0); n != 10 || err != nil {
		t.Errorf("what is left of the file: %d bytes, %v", n, err)
	}
}

func TestGuardPassesOn(t *testing.T) {
	data := make([]byte, 10)
	if err := Guard(data, func() error { return os.ErrClosed }); !errors.Is(err, os.ErrClosed) {
		t.Errorf("an error became %v", err)
	}
	var nothing *int
	for name, read := range map[string]func() error{
		"its own panic":          func() error { panic("a defect") },
		"a nil pointer":          func() error { *nothing = 1; return nil },
		"a fault somewhere else": func() error { panic(elsewhere{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was swallowed", name)
				}
			}()
			_ = Guard(data, read) // It panics.
		}()
	}
}

type elsewhere struct{}

func (elsewhere) Addr() uintptr { return 1 << 40 }
