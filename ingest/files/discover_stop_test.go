package files

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
)

// A search that is cancelled ends soon, whatever it is given, and says so
// instead of what it has found.
func TestDiscoverStops(t *testing.T) {
	dir := tree(t, "log/a.parquet", "log/b.parquet")
	list := writeList(t, dir, "list.txt", strings.Repeat("log/a.parquet\nlog/none.parquet\n", 1000))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, arg := range []string{filepath.Join(dir, "log"), filepath.Join(dir, "log", "*.parquet"), list, filepath.Join(dir, "none")} {
		src, err := Discover(ctx, []string{arg})
		var input *fault.InputError
		if src != nil || !errors.Is(err, context.Canceled) || errors.As(err, &input) {
			t.Errorf("%s: %d files, %v", arg, len(src), err)
		}
	}
}

// stopAfter is a context that is cancelled after so many looks at it.
type stopAfter struct {
	context.Context
	looks int
}

func (c *stopAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A search looks at its context at every file and every line, so that a long
// list does not outlive it.
func TestDiscoverLooksOften(t *testing.T) {
	dir := tree(t, "log/a.parquet", "log/b.parquet", "log/c.parquet", "log/d.parquet")
	for _, arg := range []string{filepath.Join(dir, "log"), filepath.Join(dir, "log", "*.parquet"), writeList(t, dir, "list.txt", "log/a.parquet\nlog/b.parquet\nlog/c.parquet\n")} {
		for looks := range 4 {
			if _, err := Discover(&stopAfter{t.Context(), looks}, []string{arg}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d looks: %v", arg, looks, err)
			}
		}
		if _, err := Discover(&stopAfter{t.Context(), 1000}, []string{arg}); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
