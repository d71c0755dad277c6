// Package ingesttest is what tests of several packages need: logs of a few
// rows, and the faults that an error holds.
package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// writeParquet writes rows of a struct type.
func writeParquet[T any](tb testing.TB, path string, rows []T, options ...parquet.WriterOption) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
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

// event is a row of the logs that most tests use.
type event struct {
	Round  int64    `parquet:"round"`
	Arm    string   `parquet:"arm,dict"`
	Reward *float64 `parquet:"reward,optional"`
	P      float64  `parquet:"p"`
	Age    float64  `parquet:"age"`
	Land   *string  `parquet:"land,optional"`
}

// events are n rounds of arms a, b, c in turn.
func events(n int) []event {
	rows := make([]event, n)
	for i := range rows {
		rows[i] = event{Round: int64(i + 1), Arm: string(rune('a' + i%3)), Reward: new(float64(i%2) / 2), P: 0.5, Age: float64(i), Land: new([]string{"DE", "FR"}[i%2])}
	}
	return rows
}

// inputErrors are all of the InputErrors in an error, in order.
func inputErrors(err error) []*InputError {
	if e, ok := err.(*InputError); ok { //nolint:errorlint // the tree is walked by hand
		return []*InputError{e}
	}
	var all []*InputError
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			all = append(all, inputErrors(e)...)
		}
	} else if inner := errors.Unwrap(err); inner != nil {
		all = inputErrors(inner)
	}
	return all
}

// wantFault checks that an error has one InputError with the rule, and returns
// it.
func wantFault(tb testing.TB, err error, rule string) *InputError {
	tb.Helper()
	var found *InputError
	for _, e := range inputErrors(err) {
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
