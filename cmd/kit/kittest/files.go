// Package kittest makes and compares directories in tests.
package kittest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tree makes a directory with the given files in it, and nothing else.
func Tree(t *testing.T, path string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(path, n), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Holds compares what a directory holds.
func Holds(t *testing.T, dir string, want ...string) {
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
