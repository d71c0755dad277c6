// Package ingesttest is what tests of several packages need: logs of a few
// rows, tableaux of given rows, and the faults that an error holds.
package ingesttest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/fault"
)

// WriteParquet writes rows of a struct type.
func WriteParquet[T any](tb testing.TB, path string, rows []T, options ...parquet.WriterOption) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		tb.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	w := parquet.NewGenericWriter[T](file, options...)
	if _, err := w.Write(rows); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// Log writes rows of a struct type as log.parquet in a directory of its own, and returns
// its path.
func Log[T any](tb testing.TB, rows []T, options ...parquet.WriterOption) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "log.parquet")
	WriteParquet(tb, path, rows, options...)
	return path
}

// Event is a row of the logs that most tests use.
type Event struct {
	Round  int64    `parquet:"round"`
	Arm    string   `parquet:"arm,dict"`
	Reward *float64 `parquet:"reward,optional"`
	P      float64  `parquet:"p"`
	Age    float64  `parquet:"age"`
	Land   *string  `parquet:"land,optional"`
}

// Events are n rounds of arms a, b, c in turn.
func Events(n int) []Event {
	rows := make([]Event, n)
	for i := range rows {
		rows[i] = Event{Round: int64(i + 1), Arm: string(rune('a' + i%3)), Reward: new(float64(i%2) / 2), P: 0.5, Age: float64(i), Land: new([]string{"DE", "FR"}[i%2])}
	}
	return rows
}

// InputErrors lists all InputErrors in an error, in order.
func InputErrors(err error) []*fault.InputError {
	if e, ok := err.(*fault.InputError); ok { //nolint:errorlint // the tree is walked by hand
		return []*fault.InputError{e}
	}
	var all []*fault.InputError
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			all = append(all, InputErrors(e)...)
		}
	} else if inner := errors.Unwrap(err); inner != nil {
		all = InputErrors(inner)
	}
	return all
}

// WantFault checks that an error has one InputError with the rule, and returns
// it.
func WantFault(tb testing.TB, err error, rule string) *fault.InputError {
	tb.Helper()
	var found *fault.InputError
	for _, e := range InputErrors(err) {
		if e.Rule == rule {
			if found != nil {
				tb.Errorf("rule %q is reported twice: %v", rule, err)
			}
			found = e
		}
	}
	if found == nil {
		tb.Fatalf("no fault of rule %q in: %v", rule, err)
	}
	if found.Mend == "" || !strings.HasPrefix(found.Error(), "ingest: ") {
		tb.Errorf("%q does not say how to mend it", found.Error())
	}
	return found
}
