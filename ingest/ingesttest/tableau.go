package ingesttest

import (
	"path/filepath"
	"testing"

	"banditaudit/ingest/tableau"
)

// Tableau writes rows as a tableau and opens it for the time of the test.
func Tableau(tb testing.TB, s tableau.Schema, rows *tableau.Batch) *tableau.Tableau {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "rounds.arrow")
	w, err := tableau.NewWriter(path, s)
	if err != nil {
		tb.Fatal(err)
	}
	if err = w.Append(rows); err != nil {
		tb.Fatal(err)
	}
	if _, err = w.Close(); err != nil {
		tb.Fatal(err)
	}
	tab, err := tableau.Open(path, s)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := tab.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tab
}
